// Written by `npm run generate` from catalogue/platform-api.openapi.json; do not edit.

/** Every path that has a GET operation, with its query parameters and its response. */
export interface GetPaths {
  '/products/': {
    query: {
      /** Only products of this brand. */
      brand?: string;
      /** true: only green products; false: only others. */
      is_green?: boolean;
      /** true: only products for prepayment meters; false: only others. */
      is_prepay?: boolean;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    response: ProductList;
  };
  '/products/{product_code}/': {
    query: {};
    response: Product;
  };
  '/products/{product_code}/electricity-tariffs/{tariff_code}/standard-unit-rates/': {
    query: {
      /** Start of the window, included. */
      period_from?: string;
      /** End of the window, not included. */
      period_to?: string;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    response: UnitRateList;
  };
  '/accounts/{account_number}/': {
    query: {};
    response: Account;
  };
  '/data-import/import-suppliers/{import_supplier}/accounts/': {
    query: {
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    response: ImportProcessList;
  };
  '/data-import/import-suppliers/{import_supplier}/accounts/{external_account_number}/': {
    query: {};
    response: ImportProcess;
  };
  '/openapi.json': {
    query: {};
    response: {
      /** The OpenAPI version. */
      openapi: string;
      [k: string]: unknown;
    };
  };
}
/** A page of products. */
export interface ProductList {
  /** Number of records on all pages. */
  count: number;
  /** Locator of the next page. */
  next: string | null;
  /** Locator of the previous page. */
  previous: string | null;
  /** The records of this page. */
  results: Product[];
}
/** A product for customers. */
export interface Product {
  /** Code of the product. */
  code: string;
  /** Whether the customer takes energy or feeds it back. */
  direction: 'IMPORT' | 'EXPORT';
  /** Name in documents. */
  full_name: string;
  /** Name on web pages. */
  display_name: string;
  /** Free text. */
  description: string;
  /** Whether prices may change. */
  is_variable: boolean;
  /** Whether the energy is renewable. */
  is_green: boolean;
  /** Whether prices follow the market daily. */
  is_tracker: boolean;
  /** Whether the product is for prepayment meters. */
  is_prepay: boolean;
  /** Whether the product is for businesses. */
  is_business: boolean;
  /** Whether only some customers can choose the product. */
  is_restricted: boolean;
  /** Fixed term in months; null without a fixed term. */
  term: number | null;
  /** Start of sale. */
  available_from: string;
  /** End of sale; null if open-ended. */
  available_to: string | null;
  /** Locators. */
  links: Link[];
  /** Code of the brand, for the filter. */
  brand: string;
}
/** A locator. */
export interface Link {
  /** The absolute URL. */
  href: string;
  /** An HTTP method. */
  method: string;
  /** The relation of the target, `self`. */
  rel: string;
}
/** A page of unit rates. */
export interface UnitRateList {
  /** Number of records on all pages. */
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
  /** Start of the period. */
  valid_from: string;
  /** End of the period, not included. */
  valid_to: string;
  /** Payment method with this price; null for all methods. */
  payment_method: 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | 'PREPAYMENT' | null;
}
/** An account and its homes. */
export interface Account {
  /** Account number in events. */
  number: string;
  /** Status of the account. */
  status: 'PENDING' | 'ACTIVE' | 'DORMANT' | 'WITHDRAWN' | 'VOID';
  /** Present, past and future homes, which have agreements. */
  properties: Property[];
  /** Customers of the account. */
  customers: Customer[];
  /** Addressee of bills; absent if unknown. */
  billing_name?: string;
  /** Billing address; only if an import sent it. */
  billing_address_line_1?: string;
  /** Billing address; only if an import sent it. */
  billing_postcode?: string;
  /** Metadata by key. */
  metadata: Metadata[];
  /** Import supplier of an account that was imported over this API. */
  import_supplier?: string;
  /** Kind of account, from its import. */
  account_type?: string;
  /** Sales channel, from the import. */
  sales_channel?: string;
  /** Notes of the import, or added later. */
  notes?: Note[];
  /** Statements of the import. */
  statements?: Statement[];
}
/** A home of the account. */
export interface Property {
  /** Id of the property. */
  id: number;
  /** Move-in; null before it. */
  moved_in_at: string | null;
  /** Move-out; null before it. */
  moved_out_at: string | null;
  /** Flat and building, or number and street. */
  address_line_1: string;
  /** Second line; may be empty. */
  address_line_2: string;
  /** Third line; may be empty. */
  address_line_3: string;
  /** Town. */
  town: string;
  /** County; may be empty. */
  county: string;
  /** Postcode. */
  postcode: string;
  /** Supply points of electricity; export has its own. */
  electricity_meter_points: ElectricityMeterPoint[];
  /** Supply points of gas. */
  gas_meter_points: GasMeterPoint[];
}
/** A supply point of electricity. */
export interface ElectricityMeterPoint {
  /** 13 digits. */
  mpan: string;
  /** Profile class: the distribution of consumption over the day. */
  profile_class: number;
  /** Consumption in a usual year, in kilowatt-hours. */
  consumption_standard: number;
  /** Whether the supply point is for export. */
  is_export: boolean;
  /** Meters of the supply point. */
  meters: ElectricityMeter[];
  /** Agreements, oldest first. */
  agreements: Agreement[];
}
/** An electricity meter. */
export interface ElectricityMeter {
  /** Serial number on the meter. */
  serial_number: string;
  /** Registers of the meter. */
  registers: Register[];
}
/** A register of a meter. */
export interface Register {
  /** Id of the register on the meter. */
  identifier: string;
  /** Rate of the register. */
  rate: string;
  /** Whether the industry uses the register for settlement. */
  is_settlement_register: boolean;
}
/** A period on a tariff. */
export interface Agreement {
  /** Agreement id in events. */
  id: number;
  /** Fuel, product and region. */
  tariff_code: string;
  /** Start. */
  valid_from: string;
  /** End; null while the agreement continues. */
  valid_to: string | null;
}
/** A supply point of gas. */
export interface GasMeterPoint {
  /** 6 to 10 digits. */
  mprn: string;
  /** Consumption in a usual year, in kilowatt-hours. */
  consumption_standard: number;
  /** Meters of the supply point. */
  meters: GasMeter[];
  /** Agreements, oldest first. */
  agreements: Agreement[];
}
/** A gas meter. */
export interface GasMeter {
  /** Serial number on the meter. */
  serial_number: string;
}
/** A customer of the account. */
export interface Customer {
  /** The user number that events contain. */
  number: string;
  /** First name. */
  given_name: string;
  /** Last name. */
  family_name: string;
  /** Address for e-mails. */
  email: string;
  /** Mobile telephone number; only if an import sent it. */
  mobile?: string;
  /** Other telephone number; only if an import sent it. */
  landline?: string;
  /** Date of birth; only if an import sent it. */
  date_of_birth?: string;
}
/** Metadata about the account. */
export interface Metadata {
  /** Key of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** A note of the other supplier. */
export interface Note {
  /** Text of the note. */
  body: string;
  /** Time of writing, as sent. */
  created_at?: string;
  /** Locations of its documents: bucket, root location and path. */
  documents: string[];
}
/** An earlier statement. */
export interface Statement {
  /** Id at the other supplier. */
  statement_id: string;
  /** Location of the document: bucket, root location and path. */
  document: string;
  /** When it was sent. */
  issued_on?: string;
}
/** A page of the imports of a supplier. */
export interface ImportProcessList {
  /** Imports on all pages. */
  count: number;
  /** The next page, or null. */
  next: string | null;
  /** The previous page, or null. */
  previous: string | null;
  /** The imports of this page, in order of arrival. */
  results: ImportProcess[];
}
/** The import of an account at the current virtual instant. */
export interface ImportProcess {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
  /** Status of the import. */
  status:
    | 'PENDING'
    | 'DRY_RUN_SUCCEEDED'
    | 'DRY_RUN_ERRORED'
    | 'IN_PROGRESS'
    | 'PROCESSED'
    | 'ERRORED'
    | 'CANCELLED';
  /** Number of the imported account; null before the import. */
  account_number: string | null;
  /** Locations of referenced documents: bucket, root location and path. */
  documents: string[];
}
/** Every operation, with its parameters, its body and its response. */
export interface Operations {
  /** Products */
  listProducts: {
    parameters: {
      /** Only products of this brand. */
      brand?: string;
      /** true: only green products; false: only others. */
      is_green?: boolean;
      /** true: only products for prepayment meters; false: only others. */
      is_prepay?: boolean;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    body: undefined;
    response: ProductList;
  };
  /** One product */
  readProduct: {
    parameters: {
      /** Code of a product. */
      product_code: string;
    };
    body: undefined;
    response: Product;
  };
  /** Unit rates of a tariff */
  listStandardUnitRates: {
    parameters: {
      /** Code of a product. */
      product_code: string;
      /** `E-1R-`, the product's code, and the letter of a region. */
      tariff_code: string;
      /** Start of the window, included. */
      period_from?: string;
      /** End of the window, not included. */
      period_to?: string;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    body: undefined;
    response: UnitRateList;
  };
  /** An account */
  readAccount: {
    parameters: {
      /** Account number in events. */
      account_number: string;
      /** Id of an event: returns the account just after that event. */
      'busbar-at'?: string;
    };
    body: undefined;
    response: Account;
  };
  /** Obtain a token */
  obtainToken: {
    parameters: {};
    body: GraphqlRequest;
    response: GraphqlResponse;
  };
  /** Create or update an import */
  importAccount: {
    parameters: {};
    body: ImportAccountRequest;
    response: ImportProcess;
  };
  /** Dry run */
  rehearseImport: {
    parameters: {};
    body: ImportAccountRequest;
    response: ImportAccepted;
  };
  /** Run an import at once */
  processImport: {
    parameters: {};
    body: ImportProcessRequest;
    response: ImportProcess;
  };
  /** Notes */
  importNotes: {
    parameters: {};
    body: ImportNotesRequest;
    response: ImportAccepted;
  };
  /** Transactions */
  importTransactions: {
    parameters: {};
    body: ImportTransactionsRequest;
    response: ImportAccepted;
  };
  /** An order */
  importOrder: {
    parameters: {};
    body: ImportOrderRequest;
    response: ImportAccepted;
  };
  /** Imports of a supplier */
  listImports: {
    parameters: {
      /** Code of the import supplier. */
      import_supplier: string;
      /** Number of the page. */
      page?: number;
      /** Records on a page. */
      page_size?: number;
    };
    body: undefined;
    response: ImportProcessList;
  };
  /** Status of an import */
  readImport: {
    parameters: {
      /** Code of the import supplier. */
      import_supplier: string;
      /** Number of the account at the other supplier. */
      external_account_number: string;
    };
    body: undefined;
    response: ImportProcess;
  };
  /** This document */
  readOpenApi: {
    parameters: {};
    body: undefined;
    response: {
      /** The OpenAPI version. */
      openapi: string;
      [k: string]: unknown;
    };
  };
}
/** A GraphQL request. */
export interface GraphqlRequest {
  /** The document. */
  query: string;
  /** Name of the operation in the document. */
  operationName?: string | null;
  /** Variables of the operation. */
  variables?: {} | null;
}
/** A GraphQL response. */
export interface GraphqlResponse {
  /** The result. */
  data?: {} | null;
  /** The problems. */
  errors?: {
    /** Text for people. */
    message: string;
    /** Contains `code` for programs. */
    extensions?: Record<string, unknown>;
    [k: string]: unknown;
  }[];
}
/** An account of another supplier. */
export interface ImportAccountRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
  /**
   * Customers of the account.
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
  /** Addressee of bills. */
  billing_name?: string;
  /** First line of the billing address. */
  billing_address1?: string;
  /** Postcode of the billing address. */
  billing_postcode?: string;
  /** Kind of account. */
  account_type?: 'DOMESTIC' | 'BUSINESS';
  /** Sales channel. */
  sales_channel?: 'DIRECT' | 'BROKER' | 'PRICE_COMPARISON' | 'ACQUISITION';
  /**
   * Supply addresses.
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
   * Metadata.
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
   * Earlier statements.
   *
   * @minItems 1
   * @maxItems 100
   */
  statements?: [ImportStatement, ...ImportStatement[]];
}
/** A customer of the account. */
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
/** A home or a business. */
export interface ImportSupplyAddress {
  /** First line. */
  supply_address1: string;
  /** Second line. */
  supply_address2?: string;
  /** Postcode. */
  supply_postcode: string;
  /**
   * Supply points at the address.
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
/** A supply point. */
export interface ImportMeterPoint {
  /** MPAN (13 digits) or MPRN (6 to 10 digits). */
  identifier: string;
  /** The supplied fuel. */
  supply_type: 'ELECTRICITY' | 'GAS';
  /** Market participant id of the previous supplier. */
  mpid: string;
  /** Market participant id of the shipper, for gas. */
  shipper_mpid?: string;
  /** First day of supply by this platform. */
  supply_start_date: string;
  /** Profile class of an electricity supply. */
  profile_class?: number;
  /**
   * The agreement of the supply point.
   *
   * @minItems 1
   * @maxItems 1
   */
  agreements: [ImportAgreement];
  /**
   * Meters of the supply point.
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
/** A tariff of the customer. */
export interface ImportAgreement {
  /** The tariff of a product of this platform. */
  tariff_code: string;
  /** First day. */
  effective_from: string;
}
/** A meter. */
export interface ImportMeter {
  /** Serial number. */
  meter_serial_number: string;
  /** Day of installation. */
  installed_on?: string;
  /**
   * Registers of the meter.
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
   * Readings of the registers.
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
/** A register of a meter. */
export interface ImportRegister {
  /** Id of the register on the meter. */
  register_id: string;
  /** Number of digits of the register. */
  number_of_digits: number;
}
/** The reading of a register on the day of the transfer. */
export interface ImportReading {
  /** The register. */
  register_id: string;
  /** Day. */
  reading_date: string;
  /** The reading. */
  value: string;
  /** Source of the reading. */
  reading_type: 'CUSTOMER' | 'ESTIMATE' | 'ROUTINE' | 'SMART' | 'REGULAR';
}
/** Metadata about the account. */
export interface ImportMetadata {
  /** Key of the metadata. */
  key: string;
  /** Value of the metadata. */
  value: string;
}
/** A note about the account. */
export interface ImportNote {
  /** Text of the note. */
  body: string;
  /** Time of writing. */
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
  /** The sender's id of the note. A repeated note with the same reference is ignored. */
  reference?: string;
}
/** A document at another location. */
export interface ImportDocument {
  /** Path from the root location of the import supplier. The reference is stored and never opened. */
  document_path: string;
}
/** An earlier statement. */
export interface ImportStatement {
  /** Id at the other supplier. */
  statement_id: string;
  /** Path from the root location of the import supplier. The reference is stored and never opened. */
  statement_path: string;
  /** When it was sent. */
  issued_on?: string;
}
/** The accepted account or order. */
export interface ImportAccepted {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Id of the account or order in the other system, which events contain. */
  external_identifier: string;
}
/** The import to run at once. */
export interface ImportProcessRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Number of the account at the other supplier. */
  external_account_number: string;
}
/** Notes about an imported account. */
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
/** Transactions of an imported account. */
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
/** An entry for the ledger. */
export interface ImportTransaction {
  /** Type of the transaction. */
  transaction_type: 'CHARGE' | 'CREDIT' | 'PAYMENT';
  /** Pounds, not negative. */
  amount: string;
  /** Day. */
  posted_on: string;
  /** The sender's id of the transaction. A repeated transaction with the same reference is ignored. */
  reference?: string;
}
/** An order from another system. */
export interface ImportOrderRequest {
  /** Code of the import supplier. */
  import_supplier: string;
  /** Id of the order in the other system. */
  external_order_id: string;
  /**
   * Customers of the order.
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
  /** Postcode of the supply. */
  supply_postcode: string;
  /** Preferred first day of supply. */
  preferred_start_date?: string;
}
/** The error of a refused request. */
export interface Error {
  /** For people; the wording may change. */
  detail: string;
  /** For programs: stable. */
  code: string;
  /** All problems in the request. */
  errors: ErrorItem[];
}
/** One problem in a request. */
export interface ErrorItem {
  /** For people; the wording may change. */
  detail: string;
  /** For programs: stable. */
  code: string;
  /** Dotted path to the input, with indexes from 0. */
  attr: string;
}
