// Decides histories of stacks and queues with Porcupine. Standard input holds, for each history, a
// line "stack|queue right|wrong OPERATIONS" and a line "begin end kind value client" for each
// operation; kind is push, pop or empty. Prints how many it decided; exit status 1 where Porcupine
// does not agree with the verdict, or does not decide in time.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type input struct {
	kind  string
	value int64
}

// Contents as a string of values, so that states compare by ==.
func model(newestFirst bool) porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return "" },
		Step: func(state, in, _ interface{}) (bool, interface{}) {
			contents := []rune(state.(string))
			call := in.(input)
			last := len(contents) - 1
			switch {
			case call.kind == "push":
				return true, string(append(contents, rune(call.value)))
			case call.kind == "empty" || last < 0:
				return call.kind == "empty" && last < 0, state
			case newestFirst:
				return contents[last] == rune(call.value), string(contents[:last])
			}
			return contents[0] == rune(call.value), string(contents[1:])
		},
	}
}

func read(in *bufio.Reader) (order, verdict string, all []porcupine.Operation, ok bool) {
	var count int
	if n, _ := fmt.Fscan(in, &order, &verdict, &count); n != 3 {
		return "", "", nil, false
	}
	for i := 0; i < count; i++ {
		var begin, end, client int64
		var call input
		fmt.Fscan(in, &begin, &end, &call.kind, &call.value, &client)
		call.value++ // no rune 0
		all = append(all, porcupine.Operation{ClientId: int(client), Input: call, Call: begin, Return: end})
	}
	return order, verdict, all, true
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	decided, bad := 0, 0
	for {
		order, verdict, all, ok := read(in)
		if !ok {
			break
		}
		found := porcupine.CheckOperationsTimeout(model(order == "stack"), all, 10*time.Second)
		decided++
		if (found == porcupine.Ok) != (verdict == "right") || found == porcupine.Unknown {
			fmt.Printf("history %d, a %s said to be %s: %v\n", decided, order, verdict, found)
			bad++
		}
	}
	fmt.Printf("%d histories decided, %d not as said\n", decided, bad)
	if bad > 0 || decided == 0 {
		os.Exit(1)
	}
}
