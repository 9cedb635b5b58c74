import { formatYuan } from '#kit/fields/money/cents.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { extend, type Call } from '#kit/server/module/module.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { findPrinterForUse } from './order-receipt.ts'
import { enqueuePrintJob } from './print.job.ts'
import type { PrintPart } from './receipt.ts'
import './refusals.ts'

type Good = RowOf<typeof goodInfo>

const GOODS_MAX = 100

const words = {
  labels: { zh: '标签', en: 'labels' },
  vipPrice: { zh: '会员价', en: 'Member price' },
  shelf: { zh: '货架', en: 'Shelf' },
}

/** Lays out a label for the goods themselves: name, price, barcode. */
export const createGoodLabel = ({ name, spec, salePrice, upc }: Good): PrintPart[] => [
  { t: 'text', v: [name, spec].filter(Boolean).join(' ') },
  { t: 'text', v: `¥${formatYuan(salePrice)}`, w: 2, h: 2, bold: true },
  { t: 'barcode', v: upc },
  { t: 'cut' },
]

/** Lays out a card for the shelf, readable from two metres. */
const shelfCardOf = (good: Good, lang: Call['lang']): PrintPart[] => {
  const { name, spec, unit, salePrice, vipPrice, shelfNo, upc } = good
  return [
    { t: 'text', v: name, h: 2, bold: true },
    {
      t: 'row',
      cols: [
        { v: [spec, unit].filter(Boolean).join(' / ') },
        { v: shelfNo ? `${words.shelf[lang]} ${shelfNo}` : '', width: 12, align: 'right' },
      ],
    },
    { t: 'text', v: `¥${formatYuan(salePrice)}`, w: 2, h: 2, bold: true },
    ...(vipPrice ? [{ t: 'text', v: `${words.vipPrice[lang]} ¥${formatYuan(vipPrice)}` } as const] : []),
    { t: 'barcode', v: upc },
    { t: 'cut' },
  ]
}

/**
 * Prints labels or shelf cards of the selected goods, one job for each, so that a failed one can be reprinted alone.
 */
export const goodPrintingExtension = extend(goodInfo, {
  actions: {
    printLabels: async (rows, { kind, printerId, copies }, { db, services, lang }) => {
      if (rows.length > GOODS_MAX) throw new Refused('too_many_to_print', { max: GOODS_MAX })
      for (const good of rows) {
        const printer = await findPrinterForUse(db, good.shopId, 'label', printerId)
        if (!printer) throw new Refused('no_printer', { what: words.labels })
        await enqueuePrintJob(db, services.now(), {
          printer,
          kind: kind === 'shelfCard' ? 'shelfCard' : 'label',
          title: good.name,
          parts: kind === 'shelfCard' ? shelfCardOf(good, lang) : createGoodLabel(good),
          copies: copies ?? 1,
        })
      }
      return { count: rows.length }
    },
  },
})
