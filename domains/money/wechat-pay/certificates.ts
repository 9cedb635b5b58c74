import { createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { WechatAccount } from './accounts.ts'

export type Certificate = { serialNo: string; pem: string; expires: Date }
type CertificateCache = { loaded: number; keys: ReadonlyMap<string, { key: KeyObject; expires: Date }> }
type Load = () => Promise<Certificate[]>

const FRESH_MS = 12 * 3_600_000
/** Whoever makes up serial numbers does not have certificates loaded again and again. */
const AGAIN_MS = 60_000

/** Platform certificates by account; WeChat Pay changes them a few times in a year, with weeks of both. */
const certificates = new Map<string, CertificateCache>()

async function certificatesOf(
  { base, mark }: WechatAccount,
  now: Date,
  ageMs: number,
  load: Load,
): Promise<CertificateCache> {
  const name = `${base} ${mark}`
  const known = certificates.get(name)
  if (known && now.getTime() - known.loaded < ageMs) return known
  const list = await load()
  const keys = new Map(
    list.map(({ serialNo, pem, expires }) => [serialNo, { key: new X509Certificate(pem).publicKey, expires }]),
  )
  const fresh = { loaded: now.getTime(), keys }
  certificates.set(name, fresh)
  return fresh
}

/** The key WeChat Pay signed with, by the number it names: of its public key or of a platform certificate. */
export async function findVerificationKey(
  account: WechatAccount,
  serialNo: string,
  now: Date,
  load: Load,
): Promise<KeyObject | undefined> {
  if (serialNo === account.publicKeyNo) return createPublicKey(account.publicKeyPem!)
  // A number of a public key that is not ours, or no number at all.
  if (!/^[0-9A-F]{8,64}$/i.test(serialNo)) return undefined
  const find = ({ keys }: CertificateCache) => {
    const found = keys.get(serialNo)
    return found && found.expires > now ? found.key : undefined
  }
  return (
    find(await certificatesOf(account, now, FRESH_MS, load)) ?? find(await certificatesOf(account, now, AGAIN_MS, load))
  )
}

/** What to encrypt for WeChat Pay with: its public key, else the certificate that lasts longest. */
export async function findEncryptionKey(
  account: WechatAccount,
  now: Date,
  load: Load,
): Promise<{ serialNo: string; key: KeyObject }> {
  if (account.publicKeyNo) return { serialNo: account.publicKeyNo, key: createPublicKey(account.publicKeyPem!) }
  const { keys } = await certificatesOf(account, now, FRESH_MS, load)
  const [last] = [...keys].sort(([, a], [, b]) => b.expires.getTime() - a.expires.getTime())
  if (!last) throw new Error('WeChat Pay gave no certificate')
  return { serialNo: last[0], key: last[1].key }
}
