# Plays RealtimeKit on the bus whose address is given, and grants realtime priority as the real one does.
import os
import re
import sys

import dbus
import dbus.bus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.RealtimeKit1"
LONGEST = 200_000


class RealtimeKit(dbus.service.Object):
    @dbus.service.method(
        dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return {
            "RTTimeUSecMax": dbus.Int64(LONGEST),
            "MaxRealtimePriority": dbus.Int32(20),
            "MinNiceLevel": dbus.Int32(-15),
        }[name]

    @dbus.service.method(
        NAME, in_signature="tu", out_signature="", sender_keyword="sender")
    def MakeThreadRealtime(self, thread, priority, sender=None):
        process = self.connection.call_blocking(
            dbus.BUS_DAEMON_NAME, dbus.BUS_DAEMON_PATH, dbus.BUS_DAEMON_IFACE,
            "GetConnectionUnixProcessID", "s", (sender,))
        with open(f"/proc/{process}/limits") as file:
            hard = re.search(r"Max realtime timeout\s+\S+\s+(\S+)", file.read())[1]
        if hard == "unlimited" or int(hard) > LONGEST or priority > 20:
            raise dbus.DBusException(
                "Operation not permitted",
                name="org.freedesktop.DBus.Error.AccessDenied")
        if not os.path.exists(f"/proc/{process}/task/{thread}"):
            raise dbus.DBusException("No such thread")
        os.sched_setscheduler(
            int(thread), os.SCHED_RR | os.SCHED_RESET_ON_FORK,
            os.sched_param(int(priority)))


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])
name = dbus.service.BusName(NAME, bus)
kit = RealtimeKit(bus, "/org/freedesktop/RealtimeKit1")
print("ready", flush=True)
GLib.MainLoop().run()
