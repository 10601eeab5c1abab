//! The embedded brain of incar: understands car speech on the device.
