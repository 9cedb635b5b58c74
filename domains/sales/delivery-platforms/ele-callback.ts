/** Where Ele tells what happens there; the account it is about stands behind it. */
export const ELE_CALLBACK_PATH = '/api/ele/callback'
