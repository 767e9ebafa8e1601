export const controlDocument = {};
