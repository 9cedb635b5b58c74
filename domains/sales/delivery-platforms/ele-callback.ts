/** Path of the Ele webhook; the account's key follows it as one more segment. */
export const ELE_CALLBACK_PATH = '/api/ele/callback'
