mod asks;
mod changes;
mod hostile;
mod support;
