import { Checkbox, Input } from 'antd'
import { yuan } from '#kit/fields/money/cents.ts'
import { useLocalize } from '#kit/web/language.tsx'
import { amount, Money } from '#kit/web/parts/money.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { GoodsPicture } from './goods-picture.tsx'
import { words } from './refund-dialog-words.ts'
import { pickOf, yuanOf } from './refund-preview.ts'
import { ALL_LINES, type RefundChoice } from './use-refund-choice.ts'
import type { OrderLine } from './use-whole-order.ts'
import './orders.css'

/** The lines that can go back, each with its pieces and its amount. */
export function ChoiceLines({ choice }: { choice: RefundChoice }) {
  const t = useLocalize()
  const { lines, picked, isAll, isNothing, chooseAll } = choice
  return (
    <>
      <div className="refund-all">
        <strong>{t(words.choose)}</strong>
        <Checkbox
          id={ALL_LINES}
          checked={isAll}
          aria-describedby="refund-lines-error"
          indeterminate={picked.length > 0 && !isAll}
          onChange={(event) => chooseAll(event.target.checked)}
        >
          {t(words.all)}
        </Checkbox>
      </div>
      <ul className="refund-lines">
        {lines.map((line) => (
          <ChoiceLine key={line.id} line={line} choice={choice} />
        ))}
      </ul>
      {isNothing && (
        <div id="refund-lines-error" className="kit-error" role="alert">
          {t(words.nothing)}
        </div>
      )}
    </>
  )
}

type LineProps = { line: OrderLine; choice: RefundChoice }

function ChoiceLine({ line, choice }: LineProps) {
  const t = useLocalize()
  const { refundableQuantity: most, name } = line
  const { pieces } = pickOf(line, choice.chosen[line.id] ?? 0, undefined)
  const onChange = (next: number) => choice.setPieces(line.id, next)
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
            ¥{amount(line.price)} · {t(words.left, { count: most })}
          </small>
        </span>
      </button>
      <Pieces pieces={pieces} most={most} name={name} onChange={onChange} />
      <span className="refund-amount">
        {pieces > 0 ? <Amount line={line} choice={choice} /> : <Money value="0.00" />}
      </span>
    </li>
  )
}

type PiecesProps = { pieces: number; most: number; name: string; onChange: (pieces: number) => void }

function Pieces({ pieces, most, name, onChange }: PiecesProps) {
  const t = useLocalize()
  return (
    <span className="refund-steps" role="group" aria-label={name}>
      <button
        type="button"
        disabled={pieces <= 0}
        aria-label={t(words.fewer, { name })}
        onClick={() => onChange(pieces - 1)}
      >
        <Icon name="minus" />
      </button>
      <output>{pieces}</output>
      <button
        type="button"
        disabled={pieces >= most}
        aria-label={t(words.more, { name })}
        onClick={() => onChange(pieces + 1)}
      >
        <Icon name="plus" />
      </button>
    </span>
  )
}

/** What a line's pieces are worth, or less. */
function Amount({ line, choice }: LineProps) {
  const t = useLocalize()
  const given = choice.typed[line.id]
  const { worth, isBad } = pickOf(line, choice.chosen[line.id] ?? 0, given)
  const most = yuanOf(worth)
  return (
    <>
      <Input
        id={`refund-amount-${line.id}`}
        prefix="¥"
        inputMode="decimal"
        value={given ?? yuan(worth)}
        status={isBad ? 'error' : undefined}
        aria-label={t(words.less, { name: line.name, most })}
        aria-invalid={isBad}
        onChange={(event) => choice.setAmount(line.id, event.target.value)}
      />
      {isBad && (
        <small className="kit-bad" role="alert">
          {t(words.badAmount, { most })}
        </small>
      )}
    </>
  )
}
