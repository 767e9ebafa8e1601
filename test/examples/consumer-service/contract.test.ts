// The example's own tests, as its team runs them.
import '../../../examples/consumer-service/moves.test.ts';
