// Written by `npm run generate` from catalogue/platform-api.openapi.json; do not edit.

/** Every path that can be read, with the parameters of its query and what it answers. */
export interface GetPaths {
  '/products/': {
    query: {
      /** Only products of this brand. */
      brand?: string;
      /** Only products that are green, or only those that are not. */
      is_green?: boolean;
      /** Only products for prepayment meters, or only others. */
      is_prepay?: boolean;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    answer: ProductList;
  };
  '/products/{product_code}/': {
    query: {};
    answer: Product;
  };
  '/products/{product_code}/electricity-tariffs/{tariff_code}/standard-unit-rates/': {
    query: {
      /** Begin of the window, included. */
      period_from?: string;
      /** End of the window, not included. */
      period_to?: string;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    answer: UnitRateList;
  };
  '/accounts/{account_number}/': {
    query: {};
    answer: Account;
  };
  '/data-import/import-suppliers/{import_supplier}/accounts/': {
    query: {
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    answer: ImportProcessList;
  };
  '/data-import/import-suppliers/{import_supplier}/accounts/{external_account_number}/': {
    query: {};
    answer: ImportProcess;
  };
  '/openapi.json': {
    query: {};
    answer: {
      /** Version of OpenAPI. */
      openapi: string;
      [k: string]: unknown;
    };
  };
}
/** A page of products. */
export interface ProductList {
  /** Number of records on all pages together. */
  count: number;
  /** Locator of the next page. */
  next: string | null;
  /** Locator of the previous page. */
  previous: string | null;
  /** The records of this page. */
  results: Product[];
}
/** A product that customers can be on. */
export interface Product {
  /** Names the product. */
  code: string;
  /** Whether energy is taken or fed back. */
  direction: 'IMPORT' | 'EXPORT';
  /** As on paper. */
  full_name: string;
  /** As on a page. */
  display_name: string;
  /** Free text. */
  description: string;
  /** Prices may change. */
  is_variable: boolean;
  /** Renewable energy. */
  is_green: boolean;
  /** Prices follow the market by the day. */
  is_tracker: boolean;
  /** For prepayment meters. */
  is_prepay: boolean;
  /** For businesses. */
  is_business: boolean;
  /** Not for everybody. */
  is_restricted: boolean;
  /** Months that it is fixed for; null when it has no fixed term. */
  term: number | null;
  /** First sold. */
  available_from: string;
  /** Sold until then; null when open-ended. */
  available_to: string | null;
  /** Locators. */
  links: Link[];
  /** Code of the brand, as the filter takes it. */
  brand: string;
}
/** A locator. */
export interface Link {
  /** Absolute. */
  href: string;
  /** An HTTP method. */
  method: string;
  /** What it leads to; `self`. */
  rel: string;
}
/** A page of unit rates. */
export interface UnitRateList {
  /** Number of records on all pages together. */
  count: number;
  /** Locator of the next page. */
  next: string | null;
  /** Locator of the previous page. */
  previous: string | null;
  /** The records of this page. */
  results: UnitRate[];
}
/** The price of a kilowatt-hour in a period, in pence. */
export interface UnitRate {
  /** Without VAT; may be negative. */
  value_exc_vat: number;
  /** With VAT; may be negative. */
  value_inc_vat: number;
  /** Begin of the period. */
  valid_from: string;
  /** End of the period, not included. */
  valid_to: string;
  /** Who pays this price; null for everybody. */
  payment_method: 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | null;
}
/** An account and where it is supplied. */
export interface Account {
  /** As events name it. */
  number: string;
  /** Where the account stands. */
  status: 'PENDING' | 'ACTIVE' | 'DORMANT' | 'WITHDRAWN' | 'VOID';
  /** Homes that it lives in, has lived in, or is about to: it has agreements there. */
  properties: Property[];
  /** Whose account it is. */
  customers: Customer[];
  /** Whom bills are made out to; not there where nobody is known. */
  billing_name?: string;
  /** Where bills go; only where an import said so. */
  billing_address_line_1?: string;
  /** Where bills go; only where an import said so. */
  billing_postcode?: string;
  /** What is noted about it, by key. */
  metadata: Metadata[];
  /** The import supplier that it came with; only accounts that were imported over this API have it. */
  import_supplier?: string;
  /** Kind of account, as its import said. */
  account_type?: string;
  /** How the customer was won, as its import said. */
  sales_channel?: string;
  /** Notes that came with its import, or after it. */
  notes?: Note[];
  /** Statements that came with its import. */
  statements?: Statement[];
}
/** A home of the account. */
export interface Property {
  /** Names the property. */
  id: number;
  /** Null while the account is only about to move in. */
  moved_in_at: string | null;
  /** Null while it lives there. */
  moved_out_at: string | null;
  /** Flat and building, or number and street. */
  address_line_1: string;
  /** May be empty. */
  address_line_2: string;
  /** May be empty. */
  address_line_3: string;
  /** Town. */
  town: string;
  /** May be empty. */
  county: string;
  /** Postcode. */
  postcode: string;
  /** Supply points of electricity; what is fed back has one of its own. */
  electricity_meter_points: ElectricityMeterPoint[];
  /** Supply points of gas. */
  gas_meter_points: GasMeterPoint[];
}
/** A supply point of electricity. */
export interface ElectricityMeterPoint {
  /** 13 digits. */
  mpan: string;
  /** How consumption is spread over the day. */
  profile_class: number;
  /** Kilowatt-hours in a usual year. */
  consumption_standard: number;
  /** Whether it is for what is fed back. */
  is_export: boolean;
  /** The meter that hangs there. */
  meters: ElectricityMeter[];
  /** Oldest first. */
  agreements: Agreement[];
}
/** An electricity meter. */
export interface ElectricityMeter {
  /** As on the meter. */
  serial_number: string;
  /** What it counts. */
  registers: Register[];
}
/** A register of a meter. */
export interface Register {
  /** Names it on the meter. */
  identifier: string;
  /** What it is charged as. */
  rate: string;
  /** Whether the industry settles by it. */
  is_settlement_register: boolean;
}
/** A time on a tariff. */
export interface Agreement {
  /** As events name it. */
  id: number;
  /** Fuel, product and region. */
  tariff_code: string;
  /** Begin. */
  valid_from: string;
  /** End; null while it goes on. */
  valid_to: string | null;
}
/** A supply point of gas. */
export interface GasMeterPoint {
  /** 6 to 10 digits. */
  mprn: string;
  /** Kilowatt-hours in a usual year. */
  consumption_standard: number;
  /** The meter that hangs there. */
  meters: GasMeter[];
  /** Oldest first. */
  agreements: Agreement[];
}
/** A gas meter. */
export interface GasMeter {
  /** As on the meter. */
  serial_number: string;
}
/** Somebody whom the account belongs to. */
export interface Customer {
  /** As events about users name it. */
  number: string;
  /** First name. */
  given_name: string;
  /** Last name. */
  family_name: string;
  /** Address for e-mails. */
  email: string;
  /** Mobile telephone number; only where an import said so. */
  mobile?: string;
  /** Other telephone number; only where an import said so. */
  landline?: string;
  /** Only where an import said so. */
  date_of_birth?: string;
}
/** Something noted about the account. */
export interface Metadata {
  /** What it is called. */
  key: string;
  /** What it says. */
  value: string;
}
/** Something that the other supplier wrote down. */
export interface Note {
  /** What it says. */
  body: string;
  /** When it was written, as it was sent. */
  created_at?: string;
  /** Where its documents lie: bucket, root location and path. */
  documents: string[];
}
/** A statement that was sent before. */
export interface Statement {
  /** Its id at the other supplier. */
  statement_id: string;
  /** Where it lies: bucket, root location and path. */
  document: string;
  /** When it was sent. */
  issued_on?: string;
}
/** A page of the imports of a supplier. */
export interface ImportProcessList {
  /** Imports on all pages. */
  count: number;
  /** The next page; null when there is none. */
  next: string | null;
  /** The previous page; null when there is none. */
  previous: string | null;
  /** The imports of this page, in the order in which they first came in. */
  results: ImportProcess[];
}
/** The import of an account, as it is at the present virtual instant. */
export interface ImportProcess {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
  /** How far it is. */
  status:
    | 'PENDING'
    | 'DRY_RUN_SUCCEEDED'
    | 'DRY_RUN_ERRORED'
    | 'IN_PROGRESS'
    | 'PROCESSED'
    | 'ERRORED'
    | 'CANCELLED';
  /** The account that it has become; null before it is processed. */
  account_number: string | null;
  /** Where the documents lie that were referred to: bucket, root location and path. */
  documents: string[];
}
/** Why a request was refused. */
export interface Error {
  /** For people; the wording may change. */
  detail: string;
  /** For programs: stable. */
  code: string;
  /** One for each problem in the request. */
  errors: ErrorItem[];
}
/** One problem in a request. */
export interface ErrorItem {
  /** For people; the wording may change. */
  detail: string;
  /** For programs: stable. */
  code: string;
  /** Dotted path to the input; numbers in it count from 0. */
  attr: string;
}
/** A GraphQL request. */
export interface GraphqlRequest {
  /** The document. */
  query: string;
  /** Which of its operations. */
  operationName?: string | null;
  /** Its variables. */
  variables?: {} | null;
}
/** A GraphQL answer. */
export interface GraphqlResponse {
  /** What was asked for. */
  data?: {} | null;
  /** What is wrong. */
  errors?: {
    /** For people. */
    message: string;
    /** Holds `code` for programs. */
    extensions?: {};
    [k: string]: unknown;
  }[];
}
/** A note about the account. */
export interface ImportNote {
  /** What it says. */
  body: string;
  /** When it was written. */
  created_at?: string;
  /**
   * Documents that belong to it.
   *
   * @minItems 1
   * @maxItems 10
   */
  document_paths?:
    | [ImportDocument]
    | [ImportDocument, ImportDocument]
    | [ImportDocument, ImportDocument, ImportDocument]
    | [ImportDocument, ImportDocument, ImportDocument, ImportDocument]
    | [ImportDocument, ImportDocument, ImportDocument, ImportDocument, ImportDocument]
    | [ImportDocument, ImportDocument, ImportDocument, ImportDocument, ImportDocument, ImportDocument]
    | [
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument
      ]
    | [
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument
      ]
    | [
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument
      ]
    | [
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument,
        ImportDocument
      ];
  /** The sender's own name for it. A note that is sent again as it was under the same reference is there already. */
  reference?: string;
}
/** A document that lies elsewhere. */
export interface ImportDocument {
  /** Where the document lies, from the root location of the import supplier. It is stored as a reference and never opened. */
  document_path: string;
}
/** Somebody whom the account belongs to. */
export interface ImportCustomer {
  /** First name. */
  given_name: string;
  /** Last name. */
  family_name: string;
  /** Address for e-mails. */
  email: string;
  /** Mobile telephone number. */
  mobile?: string;
  /** Other telephone number. */
  landline?: string;
  /** Date of birth. */
  date_of_birth?: string;
}
/** A register of a meter. */
export interface ImportRegister {
  /** As the meter shows it. */
  register_id: string;
  /** Digits that it shows. */
  number_of_digits: number;
}
/** What a register showed on the day of the transfer. */
export interface ImportReading {
  /** The register. */
  register_id: string;
  /** The day. */
  reading_date: string;
  /** What it showed. */
  value: string;
  /** Who read it. */
  reading_type: 'CUSTOMER' | 'ESTIMATE' | 'ROUTINE' | 'SMART' | 'REGULAR';
}
/** A meter. */
export interface ImportMeter {
  /** Its serial number. */
  meter_serial_number: string;
  /** When it was installed. */
  installed_on?: string;
  /**
   * Its registers.
   *
   * @minItems 1
   * @maxItems 10
   */
  registers?:
    | [ImportRegister]
    | [ImportRegister, ImportRegister]
    | [ImportRegister, ImportRegister, ImportRegister]
    | [ImportRegister, ImportRegister, ImportRegister, ImportRegister]
    | [ImportRegister, ImportRegister, ImportRegister, ImportRegister, ImportRegister]
    | [ImportRegister, ImportRegister, ImportRegister, ImportRegister, ImportRegister, ImportRegister]
    | [
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister
      ]
    | [
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister
      ]
    | [
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister
      ]
    | [
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister,
        ImportRegister
      ];
  /**
   * What they showed.
   *
   * @minItems 1
   * @maxItems 10
   */
  transfer_readings?:
    | [ImportReading]
    | [ImportReading, ImportReading]
    | [ImportReading, ImportReading, ImportReading]
    | [ImportReading, ImportReading, ImportReading, ImportReading]
    | [ImportReading, ImportReading, ImportReading, ImportReading, ImportReading]
    | [ImportReading, ImportReading, ImportReading, ImportReading, ImportReading, ImportReading]
    | [
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading
      ]
    | [
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading
      ]
    | [
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading
      ]
    | [
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading,
        ImportReading
      ];
}
/** A tariff that the customer is on. */
export interface ImportAgreement {
  /** The tariff, of one of our products. */
  tariff_code: string;
  /** Its first day. */
  effective_from: string;
}
/** A supply point. */
export interface ImportMeterPoint {
  /** MPAN (13 digits) or MPRN (6 to 10 digits). */
  identifier: string;
  /** What is supplied. */
  supply_type: 'ELECTRICITY' | 'GAS';
  /** Market participant id of the supplier before. */
  mpid: string;
  /** Market participant id of the shipper; gas has one. */
  shipper_mpid?: string;
  /** The first day of our supply. */
  supply_start_date: string;
  /** Profile class of an electricity supply. */
  profile_class?: number;
  /**
   * The agreement under which it comes.
   *
   * @minItems 1
   * @maxItems 1
   */
  agreements: [ImportAgreement];
  /**
   * Its meters.
   *
   * @minItems 1
   * @maxItems 10
   */
  meters?:
    | [ImportMeter]
    | [ImportMeter, ImportMeter]
    | [ImportMeter, ImportMeter, ImportMeter]
    | [ImportMeter, ImportMeter, ImportMeter, ImportMeter]
    | [ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter]
    | [ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter]
    | [ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter]
    | [ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter, ImportMeter]
    | [
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter
      ]
    | [
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter,
        ImportMeter
      ];
}
/** A home or a business. */
export interface ImportSupplyAddress {
  /** First line. */
  supply_address1: string;
  /** Second line. */
  supply_address2?: string;
  /** Postcode. */
  supply_postcode: string;
  /**
   * What is supplied there.
   *
   * @minItems 1
   * @maxItems 10
   */
  meter_points:
    | [ImportMeterPoint]
    | [ImportMeterPoint, ImportMeterPoint]
    | [ImportMeterPoint, ImportMeterPoint, ImportMeterPoint]
    | [ImportMeterPoint, ImportMeterPoint, ImportMeterPoint, ImportMeterPoint]
    | [ImportMeterPoint, ImportMeterPoint, ImportMeterPoint, ImportMeterPoint, ImportMeterPoint]
    | [
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint
      ]
    | [
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint
      ]
    | [
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint
      ]
    | [
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint
      ]
    | [
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint,
        ImportMeterPoint
      ];
}
/** A statement that was sent before. */
export interface ImportStatement {
  /** Its id at the other supplier. */
  statement_id: string;
  /** Where the document lies, from the root location of the import supplier. It is stored as a reference and never opened. */
  statement_path: string;
  /** When it was sent. */
  issued_on?: string;
}
/** Something noted about the account. */
export interface ImportMetadata {
  /** What it is called. */
  key: string;
  /** What it says. */
  value: string;
}
/** An account of another supplier. */
export interface ImportAccountRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
  /**
   * Whose account it is.
   *
   * @minItems 1
   * @maxItems 10
   */
  customers:
    | [ImportCustomer]
    | [ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ];
  /** Whom bills are made out to. */
  billing_name?: string;
  /** Where bills go: first line. */
  billing_address1?: string;
  /** Where bills go: postcode. */
  billing_postcode?: string;
  /** Kind of account. */
  account_type?: 'DOMESTIC' | 'BUSINESS';
  /** How the customer was won. */
  sales_channel?: 'DIRECT' | 'BROKER' | 'PRICE_COMPARISON' | 'ACQUISITION';
  /**
   * Where there is supply.
   *
   * @minItems 1
   * @maxItems 10
   */
  supply_addresses:
    | [ImportSupplyAddress]
    | [ImportSupplyAddress, ImportSupplyAddress]
    | [ImportSupplyAddress, ImportSupplyAddress, ImportSupplyAddress]
    | [ImportSupplyAddress, ImportSupplyAddress, ImportSupplyAddress, ImportSupplyAddress]
    | [
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress
      ]
    | [
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress
      ]
    | [
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress
      ]
    | [
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress
      ]
    | [
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress
      ]
    | [
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress,
        ImportSupplyAddress
      ];
  /** Pounds in the customer's favour; negative for a debt. */
  transfer_balance?: string;
  /**
   * What else is noted.
   *
   * @minItems 1
   * @maxItems 20
   */
  metadata?:
    | [ImportMetadata]
    | [ImportMetadata, ImportMetadata]
    | [ImportMetadata, ImportMetadata, ImportMetadata]
    | [ImportMetadata, ImportMetadata, ImportMetadata, ImportMetadata]
    | [ImportMetadata, ImportMetadata, ImportMetadata, ImportMetadata, ImportMetadata]
    | [ImportMetadata, ImportMetadata, ImportMetadata, ImportMetadata, ImportMetadata, ImportMetadata]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ]
    | [
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata,
        ImportMetadata
      ];
  /**
   * Notes.
   *
   * @minItems 1
   * @maxItems 50
   */
  notes?: [ImportNote, ...ImportNote[]];
  /**
   * Statements of before.
   *
   * @minItems 1
   * @maxItems 100
   */
  statements?: [ImportStatement, ...ImportStatement[]];
}
/** Which import is to run at once. */
export interface ImportProcessRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
}
/** Notes about an account that has been imported. */
export interface ImportNotesRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
  /**
   * The notes.
   *
   * @minItems 1
   * @maxItems 50
   */
  notes: [ImportNote, ...ImportNote[]];
}
/** Something posted to the ledger. */
export interface ImportTransaction {
  /** What it is. */
  transaction_type: 'CHARGE' | 'CREDIT' | 'PAYMENT';
  /** Pounds, not negative. */
  amount: string;
  /** The day. */
  posted_on: string;
  /** The sender's own name for it. A transaction that is sent again as it was under the same reference is there already. */
  reference?: string;
}
/** Transactions of an account that has been imported. */
export interface ImportTransactionsRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
  /**
   * The transactions.
   *
   * @minItems 1
   * @maxItems 100
   */
  transactions: [ImportTransaction, ...ImportTransaction[]];
}
/** An order that another system has taken. */
export interface ImportOrderRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Its id there. */
  external_order_id: string;
  /**
   * Who orders.
   *
   * @minItems 1
   * @maxItems 10
   */
  customers:
    | [ImportCustomer]
    | [ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer]
    | [ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer, ImportCustomer]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ]
    | [
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer,
        ImportCustomer
      ];
  /** Where supply is wanted. */
  supply_postcode: string;
  /** From when on. */
  preferred_start_date?: string;
}
/** What was accepted. */
export interface ImportAccepted {
  /** Code of the import supplier. */
  import_supplier: string;
  /** The account or order, as the other system calls it: events about it have this. */
  external_identifier: string;
}
