//! What a car can do: typed tools over service traits and their simulated back ends.
