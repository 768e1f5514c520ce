/** A person with a BankID. */
export interface SimulatedPerson {
  personalNumber: string
  givenName: string
  surname: string
}

/** The state of an order. */
export type Progress =
  | { status: 'pending' | 'failed'; hintCode: string }
  | { status: 'complete'; person: SimulatedPerson; risk: 'low' | 'high' }

/** A simulated failure of the API: an error status, no response, or a closed connection. */
export interface Trouble {
  status: 400 | 401 | 408 | 429 | 500 | 503 | 'silence' | 'cut'
  errorCode?: string
}
