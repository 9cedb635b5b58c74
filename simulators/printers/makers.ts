import { createHash, timingSafeEqual } from 'node:crypto'

/** Accounts that the simulated makers accept. */
export const printerAccounts = {
  feie: { user: 'demo@example.com', secret: 'simulatedFeieKey' },
  yilianyun: { user: '1098765432', secret: 'simulated-yilianyun-secret' },
  xpyun: { user: 'demo_user@example.com', secret: 'simulated-xpyun-key' },
} as const

export type MakerName = keyof typeof printerAccounts
export type PrinterMood = 'ready' | 'offline' | 'noPaper'

type SimulatedPrinter = { maker: MakerName; sn: string; name: string; mood: PrinterMood; tenantId?: string }
/** A print job a maker accepted, and whether it was printed. */
export type Ticket = {
  maker: MakerName
  sn: string
  no: string
  content: string
  copies: number
  isLabel: boolean
  state: 'waiting' | 'printed' | 'gone'
  /** Epoch seconds after which it is dropped. */
  expires?: number
  backurl?: string
  originId?: string
}

/** The shared state of the three makers. */
export type Makers = {
  printers: Map<string, SimulatedPrinter>
  tickets: Ticket[]
  /** Prints the waiting jobs of all printers that can print. */
  run: () => void
  newNo: () => string
  /** Tokens that Yilianyun issued and that are valid. */
  tokens: Set<string>
  tokensGiven: number
  /** Serial numbers of printers that belong to other accounts. */
  foreign: Set<string>
}

type Fields = Record<string, unknown>

const SKEW_S = 300
const CONTENT_BYTES = 5000

const hash = (algorithm: 'md5' | 'sha1', text: string) => createHash(algorithm).update(text).digest('hex')
const isSame = (given: unknown, right: string) =>
  typeof given === 'string' && given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))
const isNow = (seconds: unknown) =>
  /^\d{10}$/.test(String(seconds)) && Math.abs(Date.now() / 1000 - Number(seconds)) < SKEW_S

const find = ({ printers }: Makers, maker: MakerName, sn: unknown) => printers.get(`${maker}/${String(sn)}`)
const put = ({ printers }: Makers, maker: MakerName, sn: string, name: string) =>
  void printers.set(`${maker}/${sn}`, { maker, sn, name, mood: 'ready' })

/** Accepts a job and prints it when the printer can. */
function acceptTicket(makers: Makers, ticket: Omit<Ticket, 'no' | 'state'>): Ticket {
  const taken: Ticket = { ...ticket, no: makers.newNo(), state: 'waiting' }
  makers.tickets.push(taken)
  makers.run()
  return taken
}

const ticketOf = ({ tickets }: Makers, maker: MakerName, no: unknown) =>
  tickets.find((one) => one.maker === maker && one.no === String(no))

const bytes = (content: unknown) => Buffer.byteLength(String(content ?? ''))

/** A call with a valid signature, and the printer it names. */
type Call = { makers: Makers; fields: Fields; printer: SimulatedPrinter | undefined }
type Operation = (call: Call) => unknown

const feieSays = (ret: number, msg: string, data: unknown = null) => ({ ret, msg, data, serverExecutedTime: 3 })
const feieDone = (data: unknown = true) => feieSays(0, 'ok', data)
const feieMissing = () => feieSays(1002, '打印机编号错误或未添加')
const FEIE_STATES = { ready: '在线，工作状态正常。', offline: '离线。', noPaper: '在线，工作状态不正常。' }

const feiePrint: Operation = ({ makers, fields, printer }) => {
  if (!printer) return feieMissing()
  if (bytes(fields.content) > CONTENT_BYTES) return feieSays(1003, '打印内容过长')
  const ticket = acceptTicket(makers, {
    maker: 'feie',
    sn: printer.sn,
    content: String(fields.content),
    copies: Number(fields.times ?? 1),
    isLabel: fields.apiname === 'Open_printLabelMsg',
    expires: Number(fields.expired) || undefined,
    backurl: fields.backurl ? String(fields.backurl) : undefined,
  })
  return feieDone(ticket.no)
}

const feieOperations: Record<string, Operation> = {
  Open_printerAddlist: ({ makers, fields }) => {
    const [ok, no]: [string[], string[]] = [[], []]
    for (const line of String(fields.printerContent).split('\n')) {
      const [sn = '', key = '', name = ''] = line.split('#').map((part) => part.trim())
      if (!/^\d{9,}$/.test(sn) || !key) no.push(`${line} (错误：识别码不正确)`)
      else if (makers.foreign.has(sn) || find(makers, 'feie', sn)) no.push(`${line} (错误：已被添加过)`)
      else {
        put(makers, 'feie', sn, name)
        ok.push(line)
      }
    }
    return feieDone({ ok, no })
  },
  Open_printerDelList: ({ makers, fields }) => {
    const ok = String(fields.snlist).split('-')
    for (const sn of ok) makers.printers.delete(`feie/${sn}`)
    return feieDone({ ok, no: [] })
  },
  Open_printerEdit: ({ fields, printer }) => {
    if (!printer) return feieMissing()
    printer.name = String(fields.name)
    return feieDone()
  },
  Open_printMsg: feiePrint,
  Open_printLabelMsg: feiePrint,
  Open_queryOrderState: ({ makers, fields }) => {
    const ticket = ticketOf(makers, 'feie', fields.orderid)
    return ticket ? feieDone(ticket.state === 'printed') : feieSays(1004, '订单不存在')
  },
  Open_queryPrinterStatus: ({ printer }) => (printer ? feieDone(FEIE_STATES[printer.mood]) : feieMissing()),
}

/** Answers POST /feie/Api/Open/ (form). */
export function feie(makers: Makers, fields: Fields): unknown {
  const { user, secret } = printerAccounts.feie
  if (fields.user !== user) return feieSays(-4, '参数错误：user不存在')
  if (!isNow(fields.stime)) return feieSays(-2, '参数错误：stime已过期')
  if (!isSame(fields.sig, hash('sha1', user + secret + String(fields.stime))))
    return feieSays(-3, '参数错误：sig验证失败')
  const operation = feieOperations[String(fields.apiname)]
  return operation?.({ makers, fields, printer: find(makers, 'feie', fields.sn) }) ?? feieSays(-1, '请求头错误')
}

const yilianyunSays = (error: string, error_description: string, body: unknown = '') => ({
  error,
  error_description,
  timestamp: Math.floor(Date.now() / 1000),
  body,
})
const yilianyunDone = (body: unknown = '') => yilianyunSays('0', 'success', body)
const YILIANYUN_STATES = { offline: '0', ready: '1', noPaper: '2' }
const TOKENS_A_DAY = 20
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function newToken(makers: Makers): unknown {
  if (makers.tokensGiven >= TOKENS_A_DAY) return yilianyunSays('31', '获取token次数超过限制')
  const token = hash('sha1', `token ${++makers.tokensGiven} ${Date.now()}`)
  makers.tokens.add(token)
  const refresh_token = hash('sha1', token)
  return yilianyunDone({ access_token: token, refresh_token, machine_code: '', expires_in: 0, scope: 'all' })
}

const yilianyunOperations: Record<string, (call: Call & { printer: SimulatedPrinter }) => unknown> = {
  '/printer/deleteprinter': ({ makers, printer }) => {
    makers.printers.delete(`yilianyun/${printer.sn}`)
    return yilianyunDone()
  },
  '/printer/getprintstatus': ({ printer }) => yilianyunDone({ state: YILIANYUN_STATES[printer.mood] }),
  '/print/index': ({ makers, fields, printer }) => {
    const originId = String(fields.origin_id)
    const content = String(fields.content)
    const known = fields.idempotence === '1' ? makers.tickets.find((one) => one.originId === originId) : undefined
    const copies = Number(/<MN>(\d)<\/MN>/.exec(content)?.[1] ?? 1)
    const ticket =
      known ?? acceptTicket(makers, { maker: 'yilianyun', sn: printer.sn, content, copies, isLabel: false, originId })
    return yilianyunDone({ id: ticket.no, origin_id: originId })
  },
  '/printer/getorderstatus': ({ makers, fields }) => {
    const ticket = ticketOf(makers, 'yilianyun', fields.order_id)
    return ticket ? yilianyunDone({ status: ticket.state === 'printed' ? 1 : 0 }) : yilianyunSays('5', '订单不存在')
  },
  '/printer/cancelone': ({ makers, fields }) => {
    const ticket = ticketOf(makers, 'yilianyun', fields.order_id)
    if (ticket?.state === 'waiting') ticket.state = 'gone'
    return yilianyunDone()
  },
}

function bind(makers: Makers, fields: Fields, known: SimulatedPrinter | undefined): unknown {
  const sn = String(fields.machine_code)
  if (known || makers.foreign.has(sn)) return yilianyunSays('17', '该终端已绑定')
  if (!fields.msign) return yilianyunSays('8', '打印机信息错误')
  put(makers, 'yilianyun', sn, String(fields.print_name ?? ''))
  return yilianyunDone()
}

/** Answers POST /yly/… (form). */
export function yilianyun(makers: Makers, path: string, fields: Fields): unknown {
  const { user, secret } = printerAccounts.yilianyun
  if (fields.client_id !== user) return yilianyunSays('2', 'client_id不存在')
  if (!isNow(fields.timestamp)) return yilianyunSays('5', '参数timestamp错误')
  if (!isSame(fields.sign, hash('md5', user + String(fields.timestamp) + secret)))
    return yilianyunSays('11', 'sign验证失败')
  if (!UUID_4.test(String(fields.id))) return yilianyunSays('33', 'id不是uuid4')
  if (path === '/oauth/oauth') return newToken(makers)
  if (!makers.tokens.has(String(fields.access_token))) return yilianyunSays('18', 'access_token过期或错误')
  const printer = find(makers, 'yilianyun', fields.machine_code)
  if (path === '/printer/addprinter') return bind(makers, fields, printer)
  if (!printer) return yilianyunSays('10', '没有权限操作该终端')
  return yilianyunOperations[path]?.({ makers, fields, printer }) ?? yilianyunSays('5', '接口不存在')
}

const xpyunSays = (code: number, msg: string, data: unknown = null) => ({ code, msg, data, serverExecutedTime: 2 })
const xpyunDone = (data: unknown = true) => xpyunSays(0, 'ok', data)
const xpyunMissing = () => xpyunSays(1002, 'PRINTER_NOT_REGISTER')
const XPYUN_STATES = { offline: 0, ready: 1, noPaper: 2 }
const XPYUN_COPIES_MAX = 5

const xpyunPrint =
  (isLabel: boolean): Operation =>
  ({ makers, fields, printer }) => {
    if (!printer) return xpyunMissing()
    if (bytes(fields.content) > CONTENT_BYTES) return xpyunSays(1003, 'CONTENT_TOO_LONG')
    const copies = Number(fields.copies)
    if (!(copies >= 1 && copies <= XPYUN_COPIES_MAX)) return xpyunSays(-2, 'REQUEST_PARAM_INVALID')
    if (fields.mode !== 1 && printer.mood === 'offline') return xpyunSays(1003, 'PRINTER_OFFLINE')
    const expires = Math.floor(Date.now() / 1000) + Number(fields.expiresIn ?? 86_400)
    const content = String(fields.content)
    return xpyunDone(acceptTicket(makers, { maker: 'xpyun', sn: printer.sn, content, copies, isLabel, expires }).no)
  }

const xpyunOperations: Record<string, Operation> = {
  addPrinters: ({ makers, fields }) => {
    const [success, fail, failMsg]: [string[], string[], string[]] = [[], [], []]
    for (const { sn, name } of fields.items as { sn: string; name: string }[]) {
      if (makers.foreign.has(sn) || find(makers, 'xpyun', sn)) {
        fail.push(sn)
        failMsg.push(`${sn}:1011`)
      } else {
        put(makers, 'xpyun', sn, name)
        success.push(sn)
      }
    }
    return xpyunDone({ success, fail, failMsg })
  },
  delPrinters: ({ makers, fields }) => {
    for (const sn of fields.snlist as string[]) makers.printers.delete(`xpyun/${sn}`)
    return xpyunDone()
  },
  updPrinter: ({ fields, printer }) => {
    if (!printer) return xpyunMissing()
    printer.name = String(fields.name)
    return xpyunDone()
  },
  print: xpyunPrint(false),
  printLabel: xpyunPrint(true),
  queryOrderState: ({ makers, fields }) => {
    const ticket = ticketOf(makers, 'xpyun', fields.orderId)
    return ticket ? xpyunDone(ticket.state === 'printed') : xpyunSays(1004, 'ORDER_NOT_FOUND')
  },
  queryPrinterStatus: ({ printer }) => (printer ? xpyunDone(XPYUN_STATES[printer.mood]) : xpyunMissing()),
  queryPrintersStatus: ({ makers, fields }) =>
    xpyunDone((fields.snlist as string[]).map((sn) => XPYUN_STATES[find(makers, 'xpyun', sn)?.mood ?? 'offline'])),
}

/** Answers POST /xpyun/<operation> (JSON). */
export function xpyun(makers: Makers, operation: string, fields: Fields): unknown {
  const { user, secret } = printerAccounts.xpyun
  if (fields.user !== user) return xpyunSays(-2, 'REQUEST_PARAM_INVALID')
  if (!isNow(fields.timestamp)) return xpyunSays(-5, 'TIMESTAMP_INVALID')
  if (!isSame(fields.sign, hash('sha1', user + secret + String(fields.timestamp)))) return xpyunSays(-3, 'SIGN_INVALID')
  const printer = find(makers, 'xpyun', fields.sn)
  return xpyunOperations[operation]?.({ makers, fields, printer }) ?? xpyunSays(-2, 'REQUEST_PARAM_INVALID')
}
