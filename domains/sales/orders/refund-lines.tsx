import { Checkbox, Input } from 'antd'
import { formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { GoodsPicture } from './goods-picture.tsx'
import { words } from './refund-dialog-words.ts'
import { pickRefundLine, formatCentsAsYuan } from './refund-preview.ts'
import { ALL_LINES_CHECKBOX_ID, type RefundChoiceState } from './use-refund-choice.ts'
import type { WholeOrderLine } from './use-whole-order.ts'
import './orders.css'

/** Input for the lines to refund, each with pieces and amount. */
export function RefundLinesInput({ choice }: { choice: RefundChoiceState }) {
  const t = useLocalize()
  const { lines, picked, isAll, isNothing, chooseAll } = choice
  return (
    <>
      <div className="refund-all">
        <strong>{t(words.choose)}</strong>
        <Checkbox
          id={ALL_LINES_CHECKBOX_ID}
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

type LineProps = { line: WholeOrderLine; choice: RefundChoiceState }

function ChoiceLine({ line, choice }: LineProps) {
  const t = useLocalize()
  const { refundableQuantity: most, name } = line
  const { pieces } = pickRefundLine(line, choice.chosen[line.id] ?? 0, undefined)
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
            ¥{formatAmount(line.price)} · {t(words.left, { count: most })}
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

/** Input for the amount of a line: at most what its pieces are worth. */
function Amount({ line, choice }: LineProps) {
  const t = useLocalize()
  const given = choice.typed[line.id]
  const { worth, isBad } = pickRefundLine(line, choice.chosen[line.id] ?? 0, given)
  const most = formatCentsAsYuan(worth)
  return (
    <>
      <Input
        id={`refund-amount-${line.id}`}
        prefix="¥"
        inputMode="decimal"
        value={given ?? formatYuan(worth)}
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
