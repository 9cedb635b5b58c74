import { randomBytes } from 'node:crypto'
import { encrypted, newNonce, signed } from './keys.ts'
import { iso, type World } from './world.ts'

/** How callbacks are sent: `held` keeps them until `release`, `never` drops them. */
type Telling = 'well' | 'twice' | 'held' | 'never'
type WechatSimCallback = { url: string; body: string }

/** Returns the envelope of an event with its content encrypted. */
function envelopeOf(world: World, kind: string, original: string, plain: object): string {
  const nonce = newNonce()
  const bytes = Buffer.from(JSON.stringify(plain))
  return JSON.stringify({
    id: `EV-${randomBytes(12).toString('hex')}`,
    create_time: iso(world.now()),
    resource_type: 'encrypt-resource',
    event_type: kind,
    summary: kind,
    resource: {
      original_type: original,
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: encrypted(bytes, Buffer.from(world.merchant.apiv3Key), nonce, original).toString('base64'),
      associated_data: original,
      nonce,
    },
  })
}

/** Returns the headers that sign a body. */
export function headersOf(world: World, body: string, { serialNo, at = world.now(), privateKey }: Seal = {}) {
  const stamp = { timestamp: String(Math.floor(at / 1000)), nonce: randomBytes(16).toString('hex') }
  const key = privateKey ?? (serialNo === world.certificate.serialNo ? world.certificate : world.publicKey).privateKey
  return {
    'content-type': 'application/json',
    'wechatpay-timestamp': stamp.timestamp,
    'wechatpay-nonce': stamp.nonce,
    'wechatpay-signature': signed(`${stamp.timestamp}\n${stamp.nonce}\n${body}\n`, key),
    'wechatpay-serial': serialNo ?? world.publicKey.no,
  }
}
type Seal = { serialNo?: string; at?: number; privateKey?: string }

/** Sends the callbacks to the merchant, as the mood says. */
export function createTelling(world: World) {
  const held: WechatSimCallback[] = []
  const telling = {
    mood: 'well' as Telling,
    /** Delay of each callback in ms. */
    lateMs: 0,
    /** Signs with the platform certificate, as for older merchants, instead of the public key. */
    byCertificate: false,
    /** HTTP statuses of the merchant's answers, newest last. */
    answers: [] as number[],
    /** Callbacks being sent. */
    underWay: new Set<Promise<void>>(),
    notify(kind: string, original: string, plain: object, url: string | undefined) {
      if (!url || telling.mood === 'never') return
      const callback = { url, body: envelopeOf(world, kind, original, plain) }
      if (telling.mood === 'held') held.push(callback)
      else if (telling.lateMs) setTimeout(() => begin(callback), telling.lateMs).unref()
      else for (let n = 0; n < (telling.mood === 'twice' ? 2 : 1); n++) begin(callback)
    },
    /** Sends the held callbacks in reverse order. Returns the statuses. */
    async release(): Promise<number[]> {
      const statuses = []
      for (const callback of held.splice(0).reverse()) statuses.push(await postCallback(callback))
      return statuses
    },
    /** Sends any callback, also a false one, signed as wanted. */
    push: (url: string, kind: string, plain: object, seal?: Seal & { signature?: string; body?: string }) =>
      postCallback(
        { url, body: seal?.body ?? envelopeOf(world, kind, kind.split('.')[0]!.toLowerCase(), plain) },
        seal,
      ),
  }

  const begin = (callback: WechatSimCallback) => {
    const one: Promise<void> = postCallback(callback).then(() => void telling.underWay.delete(one))
    telling.underWay.add(one)
  }

  async function postCallback(
    { url, body }: WechatSimCallback,
    { signature, ...seal }: Seal & { signature?: string } = {},
  ): Promise<number> {
    const serialNo = seal.serialNo ?? (telling.byCertificate ? world.certificate.serialNo : undefined)
    const headers = headersOf(world, body, { ...seal, serialNo })
    if (signature) headers['wechatpay-signature'] = signature
    // A callback that is not delivered is not repeated: the merchant queries by itself.
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      (answer) => answer.status,
      () => 0,
    )
    telling.answers.push(status)
    return status
  }

  return telling
}
