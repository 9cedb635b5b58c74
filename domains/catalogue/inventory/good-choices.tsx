import type { ReactNode } from 'react'
import type { GoodInfoRow } from './find-goods.ts'
import './stock.css'
import './count.css'

type Props = {
  goods: readonly GoodInfoRow[]
  /** Details under the name that tell goods with the same name apart. */
  facts: (good: GoodInfoRow) => readonly unknown[]
  aside?: (good: GoodInfoRow) => ReactNode
  onChoose: (good: GoodInfoRow) => void
}

/** A list of found goods from which the user chooses one. */
export function GoodChoices({ goods, facts, aside, onChoose }: Props) {
  return (
    <section className="goods-card">
      <ul className="kit-rows">
        {goods.map((good) => (
          <li key={String(good.id)}>
            <button type="button" className="count-row" onClick={() => onChoose(good)}>
              {String(good.name)}
              <small>{facts(good).filter(Boolean).join(' · ')}</small>
            </button>
            {aside && <strong>{aside(good)}</strong>}
          </li>
        ))}
      </ul>
    </section>
  )
}
