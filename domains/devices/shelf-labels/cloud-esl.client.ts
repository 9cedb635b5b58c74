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

/** With the key, or with a token; one that is worth nothing any more is fetched anew, once. */
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

/** Goods as the cloud takes them; it draws them by templates of its own. */
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

/** Of a tag the cloud names, which shows or is to show this mark of its goods; what has no number is no tag. */
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

/** Hands goods over; of a list it refuses, each alone. Answers by barcode which were refused, and why. */
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
 * The cloud of a maker (§3.2 of the protocols): goods are handed over, tags bound to goods, and bound tags follow. What
 * a tag shows is the mark of the goods, once the cloud says that this tag has been updated.
 */
export const cloudEslProvider: EslProvider = {
  wordsOf,
  statesMax: 100,
  states: async (account, tags) => {
    const found = new Map<string, EslTagState>()
    const codes = new Set(tags.map(({ content }) => content.upc))
    // Whether it lets us in shows in any question.
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
      const asked = [{ priceTagCode: tagId, goodsCode: content.upc, storeId: account.storeNo }]
      const { status, message } = await call(account, 'Bind', asked)
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
