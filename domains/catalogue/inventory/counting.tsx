import type { WireRow } from '#kit/resource/index.ts'
import { Switch } from 'antd'
import { useRef, useState } from 'react'
import { refusalDetailsOf } from '#kit/web/row/run-action.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourceList } from '#kit/web/list/use-list.ts'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { goodChoiceNote, searchGoods, isFullBarcode, type GoodInfoRow } from './find-goods.ts'
import { GoodChoices } from './good-choices.tsx'
import { CountResultNote, GoodCountForm } from './good-to-count.tsx'
import { ScanBox } from './scan-box.tsx'
import type { stocktake } from './stocktake.resource.ts'
import { stocktakeLine } from './stocktake-line.resource.ts'
import { useGoodToCount } from './use-good-to-count.ts'
import './stock.css'
import './count.css'

type Row = WireRow<typeof stocktake>

const words = {
  each: { zh: '每扫一次加 1', en: 'Each scan adds one' },
  latest: { zh: '刚刚盘到', en: 'Just counted' },
  none: { zh: '还没有人点数。扫一件商品开始。', en: 'No counts yet. Scan a product to start.' },
  moved: { zh: '点数时有销售，建议复盘', en: 'Sold during the count, recount recommended' },
  pieces: { zh: '{counted} 件', en: '{counted}' },
}

const factsOf = ({ spec, upc, shelfNo }: GoodInfoRow) => [spec, upc, shelfNo]

/** The counting view: scan or search a product, enter the quantity; below it the latest counts of everybody, live. */
export function StocktakeCounting({ take }: { take: Row }) {
  const t = useLocalize()
  const box = useRef<HTMLInputElement>(null)
  const [isEach, setEach] = useState(false)
  const counting = useGoodToCount(String(take.id))
  const { found, look, choose } = useLook(take, isEach, counting)
  return (
    <>
      <ScanBox field={box} onCode={(text) => void look(text)}>
        <label className="count-each">
          <Switch checked={isEach} onChange={setEach} /> {t(words.each)}
        </label>
        <CountResultNote counting={counting} />
      </ScanBox>
      {found.length > 0 && (
        <GoodChoices
          goods={found}
          facts={factsOf}
          onChoose={(good) => {
            void choose(good)
            if (isEach) box.current?.focus()
          }}
        />
      )}
      <GoodCountForm counting={counting} onSave={() => box.current?.focus()} />
      <Latest id={String(take.id)} onPick={(upc) => void look(upc)} />
    </>
  )
}

/**
 * Searches the products of the shop by the scanned or typed text. With `isEach` a complete barcode is counted as one
 * piece at once; a product found by part of its name or barcode is counted when somebody chooses it.
 */
function useLook(take: Row, isEach: boolean, { choose: toCount, countOne, setNote, failed }: Counter) {
  const t = useLocalize()
  const [found, setFound] = useState<GoodInfoRow[]>([])
  const choose = async (good: GoodInfoRow) => {
    const id = String(good.id)
    setFound([])
    if (!isEach) return toCount({ id, name: String(good.name), facts: factsOf(good), picture: good.picture })
    await countOne({ goodId: id }).catch(failed)
  }
  const look = async (text: string) => {
    setFound([])
    try {
      if (isEach && isFullBarcode(text) && (await isCounted(text))) return
      const answer = await findToCount(take, text)
      const [only, ...others] = answer.goods
      // A product found by part of its name is shown first and not counted at once.
      if (only && !others.length && (answer.isExact || !isEach)) return await choose(only)
      const { words: sentence, values, isBad } = goodChoiceNote(answer, text)
      // The open form gives way when there are products to choose from, but stays when nothing was found.
      if (only) toCount()
      setFound(answer.goods)
      setNote({ text: t(sentence, values), isBad })
    } catch (reason) {
      failed(reason)
    }
  }
  /** Counts one piece of a barcode. False when the shop has no such barcode: the text may be part of a name. */
  const isCounted = (upc: string) =>
    countOne({ upc }).then(
      () => true,
      (reason: unknown) => {
        if (refusalDetailsOf(reason).reason !== 'stocktake_unknown') throw reason
        return false
      },
    )
  return { found, choose, look }
}

/** Searches the shop's products; if a shelf is counted, first on that shelf. */
async function findToCount({ shopId, scope, shelfNo }: Row, text: string) {
  if (scope === 'shelf') {
    const here = await searchGoods(text, { shopId, shelfNo_likeright: shelfNo })
    if (here.goods.length) return here
  }
  return searchGoods(text, { shopId })
}

type Counter = ReturnType<typeof useGoodToCount>

/** The 30 latest counted products, also those counted on other phones. */
function Latest({ id, onPick }: { id: string; onPick: (upc: string) => void }) {
  const t = useLocalize()
  const { rows, isPending, arrived } = useResourceList(stocktakeLine, {
    inAddress: false,
    fixed: { stocktakeId: id, counted_notnull: '1', descs: 'countTime', size: 30 },
  })
  return (
    <section className="goods-card goods-part">
      <h3>{t(words.latest)}</h3>
      {!rows.length && <p className="kit-quiet">{isPending ? '…' : t(words.none)}</p>}
      <ul className="kit-rows">
        {rows.map((line) => (
          <li key={String(line.id)} className={arrived.has(String(line.id)) ? 'count-new' : undefined}>
            <button type="button" className="count-row" onClick={() => onPick(String(line.upc))}>
              {String(line.goodName)}
              <small>
                {String(line.countersName ?? '')} <RelativeTime at={String(line.countTime)} />
                {line.isMoved === true && (
                  <span className="goods-soon">
                    {' '}
                    <Icon name="exclamation-circle" />
                    {t(words.moved)}
                  </span>
                )}
              </small>
            </button>
            <strong>{t(words.pieces, { counted: line.counted })}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}
