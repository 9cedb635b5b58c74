import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { WechatAccount } from './accounts.ts'
import { decryptResourceBytes, decryptPersonalField } from './sign.ts'
import type { CallWechatPay } from './wechat-pay.client.ts'

const FILE_BYTES_MAX = 512 * 1024 * 1024
const GZIP = 'tar_type=GZIP'
type Load = (url: string) => Promise<Buffer>

const isGzip = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * A downloaded bill. `hash` is WeChat Pay's hash of its text, equal for equal bills. `text` reads it in pieces, so that
 * a million lines need not fit in memory, and throws at the end if the hash does not match.
 */
export type BillFile = { hash: string; text: () => AsyncGenerator<string> }

const billFile = (packed: Buffer, hash: string): BillFile => ({
  hash: hash.toLowerCase(),
  text: async function* text() {
    const [digest, decoder] = [createHash('sha1'), new StringDecoder('utf8')]
    let length = 0
    for await (const piece of isGzip(packed) ? Readable.from([packed]).pipe(createGunzip()) : [packed]) {
      length += (piece as Buffer).length
      if (length > FILE_BYTES_MAX) throw wrong('the bill is too long')
      digest.update(piece as Buffer)
      yield decoder.write(piece as Buffer)
    }
    yield decoder.end()
    if (digest.digest('hex') !== hash.toLowerCase()) throw wrong('the bill is not what its hash says')
  },
})

const wrong = (message: string) =>
  new VendorError({ system: 'wechat', code: 'hash', message, isRetryable: true, isUndone: true })

async function textOf(file: BillFile): Promise<string> {
  let all = ''
  for await (const piece of file.text()) all += piece
  return all
}

type Encrypted = { bill_sequence: number; download_url: string; encrypt_key: string; nonce: string; hash_value: string }

/** Calls for the bills of a day. The download URLs expire soon, so each file is loaded at once. */
export const createBillCalls = (ask: CallWechatPay, account: WechatAccount, load: Load) => {
  const fileAt = async (path: string) => {
    const { download_url, hash_value } = await ask({ method: 'GET', path })
    return billFile(await load(String(download_url)), String(hash_value))
  }
  const loaded = async (path: string) => textOf(await fileAt(path))
  const tradePath = (day: string, subMchid: string | undefined, kind: string) =>
    `/v3/bill/tradebill?bill_date=${day}${subMchid ? `&sub_mchid=${subMchid}` : ''}&bill_type=${kind}&${GZIP}`

  return {
    tradeBill: (day: string, subMchid?: string, kind: 'ALL' | 'SUCCESS' | 'REFUND' = 'ALL') =>
      loaded(tradePath(day, subMchid, kind)),
    tradeFile: (day: string, subMchid: string) => fileAt(tradePath(day, subMchid, 'ALL')),
    fundBill: (day: string, kind: 'BASIC' | 'OPERATION' | 'FEES' = 'BASIC') =>
      loaded(`/v3/bill/fundflowbill?bill_date=${day}&account_type=${kind}&${GZIP}`),
    /** Returns the encrypted fund flow of a sub-merchant; each part has a key encrypted for us. */
    subFundFiles: async (
      day: string,
      subMchid: string,
      kind: 'BASIC' | 'OPERATION' | 'FEES' | 'DEPOSIT' = 'BASIC',
    ): Promise<BillFile[]> => {
      const { download_bill_list } = await ask({
        method: 'GET',
        path:
          `/v3/bill/sub-merchant-fundflowbill?sub_mchid=${subMchid}&bill_date=${day}&account_type=${kind}` +
          `&algorithm=AEAD_AES_256_GCM&${GZIP}`,
      })
      const parts = [...(download_bill_list as Encrypted[])].sort((a, b) => a.bill_sequence - b.bill_sequence)
      const files = []
      for (const { download_url, encrypt_key, nonce, hash_value } of parts) {
        const ciphertext = (await load(download_url)).toString('base64')
        files.push(
          billFile(
            decryptResourceBytes({ ciphertext, nonce }, decryptPersonalField(encrypt_key, account.privateKey)),
            hash_value,
          ),
        )
      }
      return files
    },
    shareBill: (day: string, subMchid?: string) =>
      loaded(`${SHARE_BILLS}?${subMchid ? `sub_mchid=${subMchid}&` : ''}bill_date=${day}&${GZIP}`),
  }
}

const SHARE_BILLS = '/v3/profitsharing/bills'
