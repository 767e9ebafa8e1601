/** The tests of the built site. They end what hangs after half an hour, as the tests of the repository do. */
const hanging = 1_800_000;

export default {
  test: { include: ['.vitepress/test/*.test.ts'], testTimeout: hanging, hookTimeout: hanging },
};
