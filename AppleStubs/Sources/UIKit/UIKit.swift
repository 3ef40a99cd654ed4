// Nothing: that the module is there tells the adapters that they are on iOS or one of its kin. They use none of it.
