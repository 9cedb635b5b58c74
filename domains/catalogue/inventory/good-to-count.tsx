import { Button, InputNumber } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { GoodName } from './good-name.tsx'
import type { GoodToCountState as Counting } from './use-good-to-count.ts'
import './stock.css'
import './count.css'

const words = {
  quantity: { zh: '我数到的数量', en: 'Quantity I counted' },
  less: { zh: '少 1', en: 'One less' },
  oneMore: { zh: '多 1', en: 'One more' },
  save: { zh: '记下', en: 'Save' },
  before: { zh: '您数过，已盘 {counted} 件', en: 'You already counted this. Counted so far: {counted}' },
  more: { zh: '再加', en: 'Add' },
  instead: { zh: '改为', en: 'Change to' },
  waiting: {
    zh: '{left} 条待发送，联网后自动发出',
    en: '{left} waiting to be sent. Sent automatically when online.',
  },
}

/** Form for the quantity of the product that is being counted; nothing while none is chosen. */
export function GoodCountForm({ counting, onSave }: { counting: Counting; onSave?: () => void }) {
  const { good, quantity, setQuantity, counted, save } = counting
  if (!good) return null
  return (
    <section className="goods-card count-good">
      <GoodName name={good.name} picture={good.picture} facts={good.facts} />
      <Quantity
        value={quantity}
        onChange={setQuantity}
        counted={counted}
        onSave={(mode) => {
          if (quantity === null || quantity < 0) return
          void save(mode)
          onSave?.()
        }}
      />
    </section>
  )
}

/** Shows the result of the last count, and how many counts have not been sent yet. */
export function CountResultNote({ counting: { note, left } }: { counting: Counting }) {
  const t = useLocalize()
  return (
    <>
      <p className={note?.isBad ? 'goods-bad' : 'goods-good'} role="status" aria-live="polite">
        {note && (
          <>
            <Icon name={note.isBad ? 'close-circle' : 'check-circle'} />
            {note.text}
          </>
        )}
      </p>
      {left > 0 && (
        <p className="goods-soon" role="status">
          <Icon name="disconnect" />
          {t(words.waiting, { left })}
        </p>
      )}
    </>
  )
}

type QuantityProps = {
  value: number | null
  onChange: (value: number | null) => void
  /** Pieces counted so far, when the user has counted some of them; undefined otherwise. */
  counted: number | undefined
  onSave: (mode: 'set' | 'add') => void
}

function Quantity({ value, onChange, counted, onSave }: QuantityProps) {
  const t = useLocalize()
  const isMissing = value === null || value < 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSave('set')
      }}
    >
      {counted !== undefined && <p className="count-before">{t(words.before, { counted })}</p>}
      <Button size="large" aria-label={t(words.less)} onClick={() => onChange(Math.max(0, (value ?? 0) - 1))}>
        −
      </Button>
      <InputNumber<number>
        className="count-number"
        autoFocus
        status={value !== null && value < 0 ? 'error' : undefined}
        max={1_000_000}
        precision={0}
        controls={false}
        inputMode="numeric"
        value={value}
        onChange={onChange}
        aria-label={t(words.quantity)}
        placeholder="—"
      />
      <Button size="large" aria-label={t(words.oneMore)} onClick={() => onChange((value ?? 0) + 1)}>
        +
      </Button>
      {counted !== undefined && (
        <Button size="large" className="count-again" disabled={isMissing} onClick={() => onSave('add')}>
          {t(words.more)}
        </Button>
      )}
      <Button type="primary" size="large" htmlType="submit" disabled={isMissing}>
        {t(counted === undefined ? words.save : words.instead)}
      </Button>
    </form>
  )
}
