// Replaces the functions of libudev that hwloc calls. Debian has no static libudev. hwloc asks
// libudev for the names of disks, which the runtime never looks at. The functions report that the
// machine has no device manager, as in a container.

extern "C" {

struct udev;
struct udev_device;

udev* udev_new() { return nullptr; }

udev* udev_unref(udev*) { return nullptr; }

udev_device* udev_device_new_from_subsystem_sysname(udev*, const char*, const char*) {
  return nullptr;
}

udev_device* udev_device_unref(udev_device*) { return nullptr; }

const char* udev_device_get_property_value(udev_device*, const char*) { return nullptr; }

}  // extern "C"
