import fc from 'fast-check';

/** A failed property kills the mutant: a shorter counterexample has no reader. */
fc.configureGlobal({ endOnFailure: true });
