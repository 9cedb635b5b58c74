import { createHash, createVerify } from 'node:crypto'
import { PRINTER_STATE, type PrinterState } from './dictionaries.ts'
import {
  printerVendorUrl,
  postPrinterVendorForm,
  isPrintContentTooLong,
  nowSeconds,
  PRINT_TOO_LONG_RESULT,
} from './vendor.ts'
import type { PrinterVendorAnswer, PrinterVendor, PrinterVendorAccount } from './vendor.ts'
import { feieLabelMarkup, feieMarkup } from './markup.ts'

const OWN = 'https://api.feieyun.cn/Api/Open/'
const OK = 0

const feieSignature = (user: string, key: string, stime: string): string =>
  createHash('sha1')
    .update(user + key + stime)
    .digest('hex')

const call = (
  account: PrinterVendorAccount,
  apiname: string,
  fields: Record<string, string>,
): Promise<PrinterVendorAnswer> => {
  const stime = nowSeconds()
  const sig = feieSignature(account.user, account.secret, stime)
  return postPrinterVendorForm(account, printerVendorUrl(account, OWN, '/'), {
    user: account.user,
    stime,
    sig,
    apiname,
    ...fields,
  })
}

const toVendorResult = ({ ret, msg }: PrinterVendorAnswer) =>
  ret === OK ? ({ isDone: true } as const) : ({ isDone: false, reason: `${ret} ${msg}` } as const)

/** Removes "#" and line breaks, which separate the fields and lines of the printer list in Feie's API. */
const plain = (text: string) => text.replace(/[#\s]+/g, ' ').trim()

const stateOf = (words: unknown): PrinterState | undefined => {
  const text = String(words)
  if (text.includes('离线')) return PRINTER_STATE.offline
  if (text.includes('缺纸')) return PRINTER_STATE.noPaper
  return text.includes('不正常') ? PRINTER_STATE.trouble : text.includes('正常') ? PRINTER_STATE.ready : undefined
}

async function state(account: PrinterVendorAccount, sn: string): Promise<PrinterState | undefined> {
  const answer = await call(account, 'Open_queryPrinterStatus', { sn })
  return answer.ret === OK ? stateOf(answer.data) : undefined
}

/** Returns the text a report's signature covers: all other values, sorted by name. */
const signedText = (given: Record<string, string>) =>
  Object.keys(given)
    .filter((name) => name !== 'sign')
    .toSorted()
    .map((name) => `${name}=${given[name]}`)
    .join('&')

function isSigned({ sign = '', ...given }: Record<string, string>, publicKey: string): boolean {
  try {
    return createVerify('RSA-SHA256').update(signedText(given)).verify(publicKey, sign, 'base64')
  } catch {
    // An unreadable public key verifies nothing.
    return false
  }
}

/** Client of Feie (飞鹅). Feie has no idempotency key, so a job whose request got no answer may have been printed. */
export const feiePrinterVendor: PrinterVendor = {
  remembersNumbers: false,
  add: async (account, { sn, key, name }) => {
    const answer = await call(account, 'Open_printerAddlist', {
      printerContent: [sn, key, plain(name)].map(plain).join('#'),
    })
    if (answer.ret !== OK || !answer.data?.no?.length) return toVendorResult(answer)
    // Added before. It is ours when the account may query it.
    if ((await state(account, sn)) !== undefined) return { isDone: true }
    return { isDone: false, reason: String(answer.data.no[0]) }
  },
  rename: async (account, { sn, name }) =>
    toVendorResult(await call(account, 'Open_printerEdit', { sn, name: plain(name) })),
  remove: async (account, sn) => toVendorResult(await call(account, 'Open_printerDelList', { snlist: sn })),
  print: async (account, { sn, pieces, copies, label, expiresAt }) => {
    const content = label ? feieLabelMarkup(pieces, label) : feieMarkup(pieces)
    if (isPrintContentTooLong(content)) return PRINT_TOO_LONG_RESULT
    const answer = await call(account, label ? 'Open_printLabelMsg' : 'Open_printMsg', {
      sn,
      content,
      times: String(copies),
      expired: String(Math.floor(expiresAt.getTime() / 1000)),
      ...(account.callback ? { backurl: account.callback.url } : {}),
    })
    const { ret, msg, data } = answer
    return ret === OK ? { isDone: true, makerNo: String(data) } : { isDone: false, reason: `${ret} ${msg}` }
  },
  isPrinted: async (account, _sn, orderid) => {
    const { ret, data } = await call(account, 'Open_queryOrderState', { orderid })
    return ret === OK && data === true
  },
  states: async (account, sns) => {
    const found = new Map<string, PrinterState>()
    for (const sn of sns) {
      const one = await state(account, sn)
      if (one !== undefined) found.set(sn, one)
    }
    return found
  },
  reportOf: ({ callback }, given) =>
    callback && isSigned(given, callback.key) ? { makerNo: given.orderId } : undefined,
  thanks: 'SUCCESS',
}
