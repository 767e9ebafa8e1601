export type BrokerErrorCode =
  | 'ADDRESS_IN_USE'
  | 'CANNOT_LISTEN'
  | 'INVALID_OPTION'
  | 'UNKNOWN_TOPIC'
  | 'UNKNOWN_PARTITION'
  | 'UNKNOWN_API'
  | 'RECORD_TOO_LARGE';

/** What `startBroker`, `append` and `intercept` throw. Errors of clients are answered to them instead. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
  readonly code: BrokerErrorCode;

  constructor(code: BrokerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
