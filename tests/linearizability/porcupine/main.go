// Decides histories of stacks, queues and single keys of maps with Porcupine. Standard input holds,
// for each history, a line "stack|queue|key right|wrong OPERATIONS" and a line "begin end kind value
// client" for each operation; kind is push, pop or empty, or, for a key, lookup, insert, assign,
// erase or update, with :yes or :no for what it returned. Prints how many it decided; exit status 1 where Porcupine
// does not agree with the verdict, or does not decide in time.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
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

// Value of the key; 0: it is not there.
func keyModel() porcupine.Model {
	return porcupine.Model{
		Init: func() interface{} { return int64(0) },
		Step: func(state, in, _ interface{}) (bool, interface{}) {
			now, call := state.(int64), in.(input)
			kind, returned, _ := strings.Cut(call.kind, ":")
			there := now != 0
			if kind == "insert" || kind == "assign" {
				if (returned == "yes") == there {
					return false, state
				}
				if kind == "insert" && there {
					return true, state
				}
				return true, call.value
			}
			if (returned == "yes") != there {
				return false, state
			}
			switch {
			case kind == "erase":
				return true, int64(0)
			case kind == "lookup":
				return !there || now == call.value, state
			case there: // update; values are one more than noted, see read
				return true, now + call.value - 1
			}
			return true, state
		},
	}
}

func modelOf(order string) porcupine.Model {
	if order == "key" {
		return keyModel()
	}
	return model(order == "stack")
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
		found := porcupine.CheckOperationsTimeout(modelOf(order), all, 10*time.Second)
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
