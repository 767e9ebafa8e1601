// The example's own tests.
import '../../../examples/consumer-service/moves.test.ts';
