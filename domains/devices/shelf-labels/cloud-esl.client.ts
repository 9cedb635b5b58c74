import { createHash } from 'node:crypto'
import {
  requestEslProvider,
  EslRejectedError,
  EslUnreachableError,
  parseEslJson,
  parseProviderNumber,
  readTagStateSafely,
  parseProviderText,
  parseProviderTime,
} from './esl-provider.ts'
import type { EslProvider, EslTagUpdate, EslAccount, EslTagState } from './esl-provider.ts'

const JSON_TYPE = 'application/json'
const [OK, UNKNOWN, NO_ENTRY] = [200, 404, 401]
const SHOWN = 1
const FLASHES = 10
const NOTHING = '-'

type Envelope = { status: number; message: string; data: any }

const envelope = (body: Record<string, any>): Envelope => ({
  status: Number(body.status),
  message: String(body.message ?? '').slice(0, 100),
  data: body.data,
})

const posted = (body: object) => ({ method: 'POST' as const, body: JSON.stringify(body), contentType: JSON_TYPE })

async function signIn(account: EslAccount): Promise<string> {
  const body = { userName: account.user, password: account.secret }
  const { status, message, data } = envelope(
    parseEslJson(await requestEslProvider(account, '/api/Verify/Login', posted(body))),
  )
  if (status !== OK || typeof data !== 'string') throw new EslRejectedError(message)
  await account.token.write(data)
  return data
}

/**
 * Calls the API with the key, or with a token for an account with a user. Fetches a new token once when it is rejected.
 */
async function call(account: EslAccount, path: string, body?: object): Promise<Envelope> {
  const once = async (headers: Record<string, string>) => {
    const answer = envelope(
      parseEslJson(await requestEslProvider(account, `/OpenApi/${path}`, { ...(body && posted(body)), headers })),
    )
    if (answer.status >= 500) throw new EslUnreachableError(new Error(`status ${answer.status}`))
    return answer
  }
  const bearer = (token: string) => once({ authorization: `Bearer ${token}` })
  let answer: Envelope
  if (account.user) {
    const kept = await account.token.read()
    answer = await bearer(kept || (await signIn(account)))
    if (kept && answer.status === NO_ENTRY) answer = await bearer(await signIn(account))
  } else answer = await once({ ApiKey: account.secret })
  if (answer.status === NO_ENTRY) throw new EslRejectedError(answer.message)
  return answer
}

const yuan = (fen: number | null) => (fen === null ? null : fen / 100)

/**
 * Returns goods as the cloud expects them. It draws them with templates of its own. `Remark` carries a hash of the
 * data.
 */
function goodOf({ storeNo }: EslAccount, { content }: EslTagUpdate): Record<string, unknown> {
  const good = {
    StoreId: storeNo,
    Code: content.upc,
    Name: content.name,
    BarCode: content.upc,
    Spec: content.spec,
    Unit: content.unit,
    SalePrice: yuan(content.priceFen),
    MemberPrice: yuan(content.memberPriceFen),
    Promotion: content.promotion,
  }
  return { ...good, Remark: createHash('md5').update(JSON.stringify(good)).digest('hex') }
}

const wordsOf = (account: EslAccount, tag: EslTagUpdate) => String(goodOf(account, tag).Remark)

type CloudTag = { priceTagCode?: unknown; updateStatus?: unknown; battery?: unknown; lastTime?: unknown } | null

/**
 * Parses a tag's state. `mark` is the hash of the goods it is bound to. Returns undefined for an entry without a
 * number.
 */
function stateOf(tag: CloudTag, mark: unknown): EslTagState | undefined {
  const tagId = tag?.priceTagCode
  if (typeof tagId !== 'string' && typeof tagId !== 'number') return undefined
  const { battery, lastTime, updateStatus } = tag!
  return readTagStateSafely(String(tagId), () => {
    const isShown = parseProviderNumber('updateStatus', updateStatus) === SHOWN
    const words = parseProviderText('Remark', mark)
    const seenAt = parseProviderTime('lastTime', parseProviderNumber('lastTime', lastTime))
    return {
      ...(isShown ? {} : { pending: { words } }),
      shows: isShown ? words : '',
      count: 0,
      ...(typeof battery === 'number' && battery > 0 ? { batteryMv: battery } : {}),
      ...(seenAt && { seenAt }),
    }
  })
}

/**
 * Uploads goods. When the cloud rejects the list, uploads each alone. Returns the reasons for those rejected, by
 * barcode.
 */
async function syncGoods(account: EslAccount, goods: ReadonlyMap<string, object>): Promise<Map<string, string>> {
  const refused = new Map<string, string>()
  const all = await call(account, 'SyncGoods', [...goods.values()])
  if (all.status === OK) return refused
  for (const [upc, good] of goods) {
    const { status, message } = goods.size === 1 ? all : await call(account, 'SyncGoods', [good])
    if (status !== OK) refused.set(upc, `${status} ${message}`)
  }
  return refused
}

/**
 * Client of a vendor's cloud (§3.2 of the protocols). Goods are uploaded and tags bound to them; the cloud then updates
 * the tags. A tag shows the hash of its goods once the cloud reports it as updated.
 */
export const cloudEslProvider: EslProvider = {
  wordsOf,
  statesMax: 100,
  states: async (account, tags) => {
    const found = new Map<string, EslTagState>()
    const codes = new Set(tags.map(({ content }) => content.upc))
    // Without tags, asks about goods that do not exist, to learn whether the credentials are valid.
    for (const code of codes.size ? codes : [NOTHING]) {
      const path = `GetInfo/${encodeURIComponent(account.storeNo)}/${encodeURIComponent(code)}`
      const { status, data } = await call(account, path)
      if (status === UNKNOWN || !Array.isArray(data?.priceTags)) continue
      for (const one of data.priceTags as CloudTag[]) {
        const state = stateOf(one, data.Remark)
        if (state) found.set(state.tagId, state)
      }
    }
    return found
  },
  write: async (account, tags, states, taken) => {
    const goods = new Map(tags.map((tag) => [tag.content.upc, goodOf(account, tag)]))
    const refused = await syncGoods(account, goods)
    const unbound = tags.filter(({ tagId, content }) => !states.has(tagId) && !refused.has(content.upc))
    const reasons = new Map<string, string>()
    // One at a time: the cloud refuses a list for one tag it does not know.
    for (const { tagId, content } of unbound) {
      const bindings = [{ priceTagCode: tagId, goodsCode: content.upc, storeId: account.storeNo }]
      const { status, message } = await call(account, 'Bind', bindings)
      if (status !== OK) reasons.set(tagId, `${status} ${message}`)
    }
    for (const tag of tags) {
      const reason = refused.get(tag.content.upc) ?? reasons.get(tag.tagId)
      await taken(tag, reason === undefined ? { isTaken: true } : { isTaken: false, reason })
    }
  },
  flash: async (account, tagId) => {
    const body = { color: 'green', count: FLASHES, items: [tagId] }
    const { status, message } = await call(account, `Led/${encodeURIComponent(account.storeNo)}`, body)
    return status === OK ? { isTaken: true } : { isTaken: false, reason: `${status} ${message}` }
  },
}
