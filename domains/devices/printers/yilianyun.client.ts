import { createHash, randomUUID } from 'node:crypto'
import { PRINTER_STATE, type PrinterState } from './dictionaries.ts'
import { printerVendorUrl, postPrinterVendorForm, isSameSignatureText, nowSeconds } from './vendor.ts'
import type { PrinterVendorAnswer, PrinterVendor, PrinterVendorAccount } from './vendor.ts'
import { yilianyunMarkup } from './markup.ts'

const OWN = 'https://open-api.10ss.net/v2'
const OK = '0'
const TOKEN_IS_OVER = new Set(['14', '18'])
const ALREADY_BOUND = '17'
const STATES: Record<string, PrinterState> = {
  0: PRINTER_STATE.offline,
  1: PRINTER_STATE.ready,
  2: PRINTER_STATE.noPaper,
}

const yilianyunSignature = (clientId: string, timestamp: string, secret: string): string =>
  createHash('md5')
    .update(clientId + timestamp + secret)
    .digest('hex')

const signed = ({ user, secret }: PrinterVendorAccount): Record<string, string> => {
  const timestamp = nowSeconds()
  return { client_id: user, timestamp, sign: yilianyunSignature(user, timestamp, secret), id: randomUUID() }
}

const codeOf = ({ error }: PrinterVendorAnswer) => String(error)

async function newToken(account: PrinterVendorAccount): Promise<string> {
  const answer = await postPrinterVendorForm(account, printerVendorUrl(account, OWN, '/oauth/oauth'), {
    ...signed(account),
    grant_type: 'client_credentials',
    scope: 'all',
  })
  const token = answer.body?.access_token
  if (codeOf(answer) !== OK || typeof token !== 'string') return ''
  await account.token.write(token)
  return token
}

/** Calls the API with the stored token, and again with a new one when that has expired. */
async function call(
  account: PrinterVendorAccount,
  path: string,
  fields: Record<string, string>,
): Promise<PrinterVendorAnswer> {
  const address = printerVendorUrl(account, OWN, path)
  const ask = (access_token: string) =>
    postPrinterVendorForm(account, address, { ...signed(account), access_token, ...fields })
  const kept = await account.token.read()
  const answer = kept ? await ask(kept) : undefined
  if (answer && !TOKEN_IS_OVER.has(codeOf(answer))) return answer
  const token = await newToken(account)
  return token ? ask(token) : (answer ?? { error: '14', error_description: 'no token' })
}

const toVendorResult = (answer: PrinterVendorAnswer) =>
  codeOf(answer) === OK
    ? ({ isDone: true } as const)
    : ({ isDone: false, reason: `${codeOf(answer)} ${answer.error_description}` } as const)

const status = (account: PrinterVendorAccount, machine_code: string) =>
  call(account, '/printer/getprintstatus', { machine_code })

/** Client of Yilianyun (易联云). It recognises our job numbers for two hours, so a repeated request prints once. */
export const yilianyunPrinterVendor: PrinterVendor = {
  remembersNumbers: true,
  add: async (account, { sn, key, name }) => {
    const answer = await call(account, '/printer/addprinter', { machine_code: sn, msign: key, print_name: name })
    // It is ours when the account may query it.
    if (codeOf(answer) === ALREADY_BOUND) return toVendorResult(await status(account, sn))
    return toVendorResult(answer)
  },
  // The API cannot rename a printer.
  rename: async () => ({ isDone: true }),
  remove: async (account, sn) => toVendorResult(await call(account, '/printer/deleteprinter', { machine_code: sn })),
  print: async (account, { sn, pieces, copies, number }) => {
    const content = yilianyunMarkup(pieces, copies)
    const answer = await call(account, '/print/index', {
      machine_code: sn,
      content,
      origin_id: number,
      idempotence: '1',
    })
    const result = toVendorResult(answer)
    return result.isDone ? { isDone: true, makerNo: String(answer.body.id) } : result
  },
  isPrinted: async (account, sn, order_id) => {
    const answer = await call(account, '/printer/getorderstatus', { machine_code: sn, order_id })
    return codeOf(answer) === OK && String(answer.body?.status) === '1'
  },
  cancel: async (account, sn, order_id) => {
    await call(account, '/printer/cancelone', { machine_code: sn, order_id })
  },
  states: async (account, sns) => {
    const found = new Map<string, PrinterState>()
    for (const sn of sns) {
      const answer = await status(account, sn)
      const one = codeOf(answer) === OK ? STATES[String(answer.body?.state)] : undefined
      if (one !== undefined) found.set(sn, one)
    }
    return found
  },
  reportOf: ({ user, secret }, { push_time = '', sign, order_id, machine_code }) =>
    isSameSignatureText(sign, yilianyunSignature(user, push_time, secret))
      ? { makerNo: order_id, sn: machine_code }
      : undefined,
  thanks: '{"data":"OK"}',
}
