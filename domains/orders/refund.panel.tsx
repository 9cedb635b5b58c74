import { centsOf, parseYuan, yuan } from '#kit/fields/money/cents.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Input, Modal, Skeleton, Switch } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useCan } from '#kit/web/session/can.ts'
import { HttpError, post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay, type Words } from '#kit/web/language.tsx'
import { amount, Money } from '#kit/web/parts/money.tsx'
import { newKey } from '#kit/web/form/new-key.ts'
import { words as kit } from '#kit/web/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useDetail } from '#kit/web/detail/use-detail.ts'
import { REFUND } from './dictionaries.ts'
import { GoodsPicture } from './goods-picture.tsx'
import { previewOf } from './refund-preview.ts'
import { isSpoilt, refundReasons, restocksFor } from './refund-reasons.ts'
import { refunds } from './refunds.resource.ts'
import { useSigning } from './use-may-sign.ts'
import { useWholeOrder, type OrderLine, type WholeOrder } from './use-whole-order.ts'
import './orders.css'

const Uploader = lazy(() => import('#kit/web/form/uploader.tsx'))

const words = {
  refund: { zh: '退款', en: 'Refund' },
  and: { zh: '、', en: ', ' },
  ask: { zh: '申请退款', en: 'Ask for a refund' },
  choose: { zh: '退哪些商品', en: 'What goes back' },
  all: { zh: '全部', en: 'Everything' },
  left: { zh: '可退 {count} 件', en: '{count} can go back' },
  fewer: { zh: '{name} 少退一件', en: 'One {name} less' },
  more: { zh: '{name} 多退一件', en: 'One {name} more' },
  restock: { zh: '退回库存', en: 'Put the goods back into stock' },
  restockOn: { zh: '商品完好，库存加回去', en: 'The goods are fine and are sold again' },
  restockOff: {
    zh: '库存不变（已开封、破损、过期，或顾客留下商品）',
    en: 'Stock stays as it is: opened, broken, expired, or kept by the customer',
  },
  restockSpoilt: {
    zh: '按退款原因，商品不再上架，库存不变；完好的请打开',
    en: 'For this reason the goods are not sold again; switch on if they are fine',
  },
  reason: { zh: '退款原因', en: 'Reason' },
  reasonMissing: { zh: '请填写退款原因', en: 'Say why' },
  freight: { zh: '含运费 ¥{amount}', en: 'including freight of ¥{amount}' },
  less: { zh: '退 {name} 的金额，最多 ¥{most}', en: 'Amount for {name}, at most ¥{most}' },
  badAmount: { zh: '退款金额须在 0 和 ¥{most} 之间', en: 'The amount must lie between 0 and ¥{most}' },
  pictures: { zh: '凭证图片', en: 'Pictures' },
  aboveLimit: {
    zh: '超过您单笔 ¥{limit} 的额度，提交后由额度更高的人审核',
    en: 'Above your limit of ¥{limit}: somebody with a higher one decides',
  },
  needsSecond: {
    zh: '超过 ¥{above}，还需另一人签字后才会退款',
    en: 'Above ¥{above}: the money goes once another person has signed too',
  },
  waitsSecond: { zh: '等待第二人签字', en: 'Waits for a second signature' },
  nothing: { zh: '请选择要退款的商品', en: 'Choose what to refund' },
  none: { zh: '这个订单已经没有可退的金额', en: 'Nothing of this order is left to refund' },
  next: { zh: '下一步', en: 'Next' },
  back: { zh: '返回修改', en: 'Back' },
  confirmTo: { zh: '退款 ¥{amount} 给 {name}?', en: 'Refund ¥{amount} to {name}?' },
  confirm: { zh: '退款 ¥{amount}?', en: 'Refund ¥{amount}?' },
  askTo: { zh: '为 {name} 申请退款 ¥{amount}?', en: 'Ask for a refund of ¥{amount} to {name}?' },
  askPlain: { zh: '申请退款 ¥{amount}?', en: 'Ask for a refund of ¥{amount}?' },
  goods: { zh: '商品', en: 'Goods' },
  way: { zh: '退回方式', en: 'Way back' },
  wayText: { zh: '原路退回：{channels}', en: 'The way it was paid: {channels}' },
  stock: { zh: '库存', en: 'Stock' },
  stockPlus: { zh: '加回 {count} 件', en: '{count} back on the shelf' },
  stockSame: { zh: '不变', en: 'unchanged' },
  doNow: { zh: '确认退款 ¥{amount}', en: 'Refund ¥{amount}' },
  doAsk: { zh: '提交申请', en: 'Ask for it' },
  unclear: {
    zh: '没有收到服务器的回答，退款可能已经成功。可以放心重试，同一次操作只会退一次。',
    en: 'The server did not answer; the refund may have gone through. Try again without worry: it is made only once.',
  },
  asked: { zh: '已提交', en: 'Handed in' },
  approved: { zh: '审核通过', en: 'Approved' },
  waiting: { zh: '等待审核', en: 'Waits to be approved' },
  sending: { zh: '资金退回中', en: 'Money on its way' },
  done: { zh: '退款成功', en: 'Refunded' },
  failed: { zh: '退款失败：{reason}', en: 'The refund failed: {reason}' },
  rejected: { zh: '已拒绝：{reason}', en: 'Rejected: {reason}' },
  retry: { zh: '重新退款', en: 'Send it again' },
  finish: { zh: '完成', en: 'Done' },
  askedHint: { zh: '店主审核后资金原路退回。', en: 'The money goes back once it is approved.' },
} satisfies Record<string, Words>

const REASON_MAX = 200
const PICTURES_MAX = 5
const yuanOf = (cents: number) => amount(yuan(cents))

type Made = { id: string }

/** Refunds an order by lines: choose, look at what will happen, follow the money. */
export default function RefundDialog({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const say = useSay()
  const { data: whole, error, refetch } = useWholeOrder(orderId)
  const isNow = useCan('refunds_approve')
  const [made, setMade] = useState<Made>()
  const title = (
    <>
      {say(isNow ? words.refund : words.ask)}{' '}
      {whole && <span className="kit-quiet order-no">{whole.order.orderNo}</span>}
    </>
  )
  return (
    <Modal
      open
      title={title}
      width={600}
      onCancel={onClose}
      footer={null}
      className="refund-dialog"
      mask={{ closable: false }}
    >
      {made ? (
        <Progress id={made.id} onClose={onClose} />
      ) : whole ? (
        <Choice whole={whole} isNow={isNow} onMade={setMade} onClose={onClose} onStale={() => void refetch()} />
      ) : error ? (
        <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Modal>
  )
}

type ChoiceProps = {
  whole: WholeOrder
  isNow: boolean
  onMade: (made: Made) => void
  onClose: () => void
  onStale: () => void
}

function Choice({ whole, isNow, onMade, onClose, onStale }: ChoiceProps) {
  const say = useSay()
  const client = useQueryClient()
  const { order, refundableAmount } = whole
  const lines = whole.lines.filter((line) => line.refundableQuantity > 0)
  const [chosen, setChosen] = useState<Record<string, number>>(() =>
    lines.length === 1 ? { [lines[0]!.id]: lines[0]!.refundableQuantity } : {},
  )
  // What was typed instead of the amount the pieces are worth.
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [pictures, setPictures] = useState<string[]>([])
  const { rules, isWithin, needsSecond } = useSigning()
  const [reason, setReason] = useState('')
  // The reason decides until somebody has touched the switch.
  const [said, setSaid] = useState<boolean>()
  const restock = said ?? restocksFor(reason)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const [isSure, setSure] = useState(false)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  // One for one opened dialog: sent twenty times, it is the same refund.
  const key = useRef<string>(undefined)
  const isOnWay = useRef(false)

  const picked = lines.flatMap((line) => {
    const pieces = Math.min(chosen[line.id] ?? 0, line.refundableQuantity)
    const worth = previewOf(line, pieces)
    const given = typed[line.id]
    const cents = given === undefined ? worth : parseYuan(given)
    const isBad = cents === undefined || cents < 0 || cents > worth
    return pieces > 0 ? [{ line, pieces, cents: isBad ? worth : cents, worth, isBad }] : []
  })
  const isAll =
    picked.length === lines.length &&
    picked.every(({ line, pieces, cents, worth }) => pieces === line.refundableQuantity && cents === worth)
  const goods = picked.reduce((sum, one) => sum + one.cents, 0)
  // Freight goes back only with everything.
  const total = isAll ? centsOf(refundableAmount) : goods
  const freight = total - goods

  const proceed = () => {
    if (!picked.length) return setProblem(say(words.nothing))
    const bad = picked.find((one) => one.isBad)
    if (bad) return document.getElementById(`refund-amount-${bad.line.id}`)?.focus()
    setProblem(undefined)
    setReasonMissing(!reason.trim())
    if (!reason.trim()) return document.getElementById('refund-reason')?.focus()
    setSure(true)
  }
  const send = async () => {
    if (isOnWay.current) return
    isOnWay.current = true
    setSending(true)
    setProblem(undefined)
    key.current ??= newKey()
    const what = isAll
      ? { full: true }
      : {
          lines: picked.map(({ line, pieces, cents }) => ({
            detailId: line.id,
            quantity: pieces,
            amount: yuan(cents),
          })),
        }
    try {
      const answer = await post<Made>(
        `${refunds.path}/${isNow ? 'now' : 'submit'}`,
        {
          body: {
            orderId: order.id,
            ...what,
            reason: reason.trim(),
            restock,
            ...(pictures.length ? { pictures: pictures.join(',') } : {}),
            requestKey: key.current,
          },
        },
        { quiet: true },
      )
      void client.invalidateQueries({ queryKey: ['whole-order', order.id] })
      onMade(answer)
    } catch (failure) {
      const isUnclear = failure instanceof HttpError && (failure.status === 0 || failure.status >= 500)
      setProblem(isUnclear ? say(words.unclear) : (failure as Error).message)
      if (!isUnclear) {
        // Somebody else was faster: show what is left now.
        setSure(false)
        onStale()
      }
    } finally {
      isOnWay.current = false
      setSending(false)
    }
  }

  if (!lines.length)
    return (
      <>
        <Alert type="info" showIcon title={say(words.none)} />
        <div className="refund-foot">
          <Button size="large" onClick={onClose}>
            {say(kit.close)}
          </Button>
        </div>
      </>
    )
  if (isSure) {
    const channels = [...new Set(whole.payments.map((one) => one.channelName))].join(say(words.and))
    const question = order.wxUserId ? (isNow ? words.confirmTo : words.askTo) : isNow ? words.confirm : words.askPlain
    return (
      <div className="refund-sure">
        <p className="refund-question">{say(question, { amount: yuanOf(total), name: order.wxUserName })}</p>
        <dl className="order-facts">
          <div>
            <dt>{say(words.goods)}</dt>
            <dd>
              {picked.map(({ line, pieces }) => (
                <div key={line.id}>
                  {line.name} ×{pieces}
                </div>
              ))}
              {freight > 0 && <div className="kit-quiet">{say(words.freight, { amount: yuanOf(freight) })}</div>}
            </dd>
          </div>
          <div>
            <dt>{say(words.way)}</dt>
            <dd>{say(words.wayText, { channels })}</dd>
          </div>
          <div>
            <dt>{say(words.stock)}</dt>
            <dd>
              {restock
                ? say(words.stockPlus, { count: picked.reduce((sum, one) => sum + one.pieces, 0) })
                : say(words.stockSame)}
            </dd>
          </div>
          <div>
            <dt>{say(words.reason)}</dt>
            <dd>{reason.trim()}</dd>
          </div>
        </dl>
        {isNow && rules && !isWithin(total) && (
          <Alert type="info" showIcon title={say(words.aboveLimit, { limit: amount(rules.limit) })} />
        )}
        {isNow &&
          rules &&
          isWithin(total) &&
          needsSecond(total + centsOf(order.payAmount) - centsOf(refundableAmount)) && (
            <Alert type="info" showIcon title={say(words.needsSecond, { above: amount(rules.secondAbove) })} />
          )}
        {problem && <Alert type="warning" showIcon title={problem} />}
        <div className="refund-foot">
          <Button size="large" disabled={isSending} onClick={() => setSure(false)}>
            {say(words.back)}
          </Button>
          <Button
            size="large"
            type="primary"
            danger={isNow}
            autoFocus={!isNow}
            loading={isSending}
            onClick={() => void send()}
          >
            {isNow ? say(words.doNow, { amount: yuanOf(total) }) : say(words.doAsk)}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="refund-choice">
      <div className="refund-all">
        <strong>{say(words.choose)}</strong>
        <Checkbox
          checked={isAll}
          indeterminate={picked.length > 0 && !isAll}
          onChange={(event) =>
            setChosen(
              event.target.checked ? Object.fromEntries(lines.map((line) => [line.id, line.refundableQuantity])) : {},
            )
          }
        >
          {say(words.all)}
        </Checkbox>
      </div>
      <ul className="refund-lines">
        {lines.map((line) => (
          <ChoiceLine
            key={line.id}
            line={line}
            pieces={Math.min(chosen[line.id] ?? 0, line.refundableQuantity)}
            typed={typed[line.id]}
            onType={(text) => setTyped((before) => ({ ...before, [line.id]: text }))}
            onChange={(pieces) => {
              setChosen((before) => ({ ...before, [line.id]: pieces }))
              setTyped(({ [line.id]: _gone, ...rest }) => rest)
            }}
          />
        ))}
      </ul>
      <div className="kit-field">
        <label htmlFor="refund-reason">
          {say(words.reason)}{' '}
          <span className="kit-required" aria-hidden>
            *
          </span>
        </label>
        <div className="refund-reasons">
          {refundReasons.map(({ label }) => (
            <button
              key={label.en}
              type="button"
              aria-pressed={reason === say(label)}
              onClick={() => {
                setReason(say(label))
                setReasonMissing(false)
              }}
            >
              {say(label)}
            </button>
          ))}
        </div>
        <Input
          id="refund-reason"
          size="large"
          value={reason}
          maxLength={REASON_MAX}
          status={isReasonMissing ? 'error' : undefined}
          aria-invalid={isReasonMissing}
          aria-describedby="refund-reason-error"
          onChange={(event) => {
            setReason(event.target.value)
            setReasonMissing(false)
          }}
          onPressEnter={proceed}
        />
        {isReasonMissing && (
          <div id="refund-reason-error" className="kit-error" role="alert">
            {say(words.reasonMissing)}
          </div>
        )}
      </div>
      <label className="refund-restock">
        <Switch checked={restock} onChange={setSaid} />
        <span>
          {say(words.restock)}
          <small className="kit-quiet">
            {say(
              restock
                ? words.restockOn
                : said === undefined && isSpoilt(reason)
                  ? words.restockSpoilt
                  : words.restockOff,
            )}
          </small>
        </span>
      </label>
      <div className="kit-field">
        <label htmlFor="refund-pictures">{say(words.pictures)}</label>
        <Suspense fallback={<span className="kit-skeleton" />}>
          <Uploader id="refund-pictures" links={pictures} onChange={setPictures} pictures maxCount={PICTURES_MAX} />
        </Suspense>
      </div>
      {problem && <Alert type="warning" showIcon title={problem} />}
      <div className="refund-foot">
        <span className="refund-total" aria-live="polite">
          <Money value={yuan(total)} />
          {freight > 0 && <small className="kit-quiet">{say(words.freight, { amount: yuanOf(freight) })}</small>}
        </span>
        <Button size="large" onClick={onClose}>
          {say(kit.cancel)}
        </Button>
        <Button size="large" type="primary" disabled={!picked.length} onClick={proceed}>
          {say(words.next)}
        </Button>
      </div>
    </div>
  )
}

type ChoiceLineProps = {
  line: OrderLine
  pieces: number
  typed: string | undefined
  onType: (text: string) => void
  onChange: (pieces: number) => void
}

function ChoiceLine({ line, pieces, typed, onType, onChange }: ChoiceLineProps) {
  const say = useSay()
  const { refundableQuantity: most, name } = line
  const worth = previewOf(line, pieces)
  const cents = typed === undefined ? worth : parseYuan(typed)
  const isBad = cents === undefined || cents < 0 || cents > worth
  return (
    <li data-chosen={pieces > 0}>
      <Checkbox
        checked={pieces > 0}
        onChange={(event) => onChange(event.target.checked ? most : 0)}
        aria-label={name}
      />
      <button type="button" className="refund-what" tabIndex={-1} onClick={() => onChange(pieces ? 0 : most)}>
        <GoodsPicture link={line.picture} name={name} />
        <span>
          <strong>{name}</strong>
          <small className="kit-quiet">
            ¥{amount(line.price)} · {say(words.left, { count: most })}
          </small>
        </span>
      </button>
      <span className="refund-steps" role="group" aria-label={name}>
        <button
          type="button"
          disabled={pieces <= 0}
          aria-label={say(words.fewer, { name })}
          onClick={() => onChange(pieces - 1)}
        >
          <Icon name="minus" />
        </button>
        <output>{pieces}</output>
        <button
          type="button"
          disabled={pieces >= most}
          aria-label={say(words.more, { name })}
          onClick={() => onChange(pieces + 1)}
        >
          <Icon name="plus" />
        </button>
      </span>
      <span className="refund-amount">
        {pieces > 0 ? (
          <Input
            id={`refund-amount-${line.id}`}
            prefix="¥"
            inputMode="decimal"
            value={typed ?? yuan(worth)}
            status={isBad ? 'error' : undefined}
            aria-label={say(words.less, { name, most: yuanOf(worth) })}
            aria-invalid={isBad}
            onChange={(event) => onType(event.target.value)}
          />
        ) : (
          <Money value="0.00" />
        )}
        {isBad && (
          <small className="kit-bad" role="alert">
            {say(words.badAmount, { most: yuanOf(worth) })}
          </small>
        )}
      </span>
    </li>
  )
}

const SETTLED = new Set<number>([REFUND.succeeded, REFUND.failed, REFUND.rejected])
const POLL_MS = 2500

/** Follows a refund until the money has gone, and offers to send it again when it could not. */
function Progress({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useSay()
  const mayRetry = useCan('refunds_retry')
  const { data: refund, refetch } = useDetail(refunds, id)
  const [isRetrying, setRetrying] = useState(false)
  const status = Number(refund?.status ?? 0)
  const isSettled = !!refund && SETTLED.has(status)
  // The line to the server tells at once; asking now and then covers a line that is down.
  useEffect(() => {
    if (isSettled || (refund && status === REFUND.applied)) return
    const timer = setInterval(() => void refetch(), POLL_MS)
    return () => clearInterval(timer)
  }, [isSettled, refund, status, refetch])
  const retry = async () => {
    setRetrying(true)
    await post(`${refunds.path}/retry`, { query: { id } }).catch(() => {})
    await refetch()
    setRetrying(false)
  }
  if (!refund) return <Skeleton active paragraph={{ rows: 4 }} />
  const steps: {
    words: Words
    state: 'done' | 'now' | 'later' | 'bad'
    params?: Record<string, unknown>
    at?: string
  }[] = [
    { words: words.asked, state: 'done', at: String(refund.createTime) },
    status === REFUND.rejected
      ? { words: words.rejected, state: 'bad', params: { reason: refund.auditRemark } }
      : {
          words:
            status !== REFUND.applied
              ? words.approved
              : refund.auditUser && refund.auditUser !== ''
                ? words.waitsSecond
                : words.waiting,
          state: status === REFUND.applied ? 'now' : 'done',
          at: String(refund.auditTime ?? ''),
        },
    ...(status === REFUND.rejected
      ? []
      : [
          status === REFUND.failed
            ? { words: words.failed, state: 'bad' as const, params: { reason: refund.failReason } }
            : {
                words: words.sending,
                state:
                  status === REFUND.succeeded
                    ? ('done' as const)
                    : status === REFUND.applied
                      ? ('later' as const)
                      : ('now' as const),
              },
          ...(status === REFUND.failed
            ? []
            : [
                {
                  words: words.done,
                  state: status === REFUND.succeeded ? ('done' as const) : ('later' as const),
                  at: String(refund.finishTime ?? ''),
                },
              ]),
        ]),
  ]
  return (
    <div className="refund-progress">
      <p className="refund-question">
        <Money value={refund.amount} />
      </p>
      <ol aria-live="polite">
        {steps.map((step) => (
          <li key={step.words.en} data-state={step.state}>
            <Icon
              name={step.state === 'done' ? 'check-circle' : step.state === 'bad' ? 'close-circle' : 'clock-circle'}
            />
            <span>{say(step.words, step.params)}</span>
            {step.at && <small className="kit-quiet">{step.at.slice(11)}</small>}
          </li>
        ))}
      </ol>
      {status === REFUND.applied && <p className="kit-quiet">{say(words.askedHint)}</p>}
      <div className="refund-foot">
        {status === REFUND.failed && mayRetry && (
          <Button size="large" loading={isRetrying} onClick={() => void retry()}>
            {say(words.retry)}
          </Button>
        )}
        <Button size="large" type="primary" onClick={onClose}>
          {say(status === REFUND.succeeded ? words.finish : kit.close)}
        </Button>
      </div>
    </div>
  )
}
