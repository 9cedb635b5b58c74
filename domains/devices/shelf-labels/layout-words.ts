import type { LocalizedText } from '#kit/base/localized-text.ts'
import type { TagLineSource } from './tag-templates.ts'

export const FIXED_TEXT_LABEL: LocalizedText = { zh: '固定文字', en: 'Fixed text' }

/** Names of what an element of a layout shows. */
export const tagLineSourceLabels: Record<TagLineSource, LocalizedText> = {
  name: { zh: '品名', en: 'Name' },
  about: { zh: '规格单位', en: 'Size and unit' },
  price: { zh: '售价', en: 'Sale price' },
  memberPrice: { zh: '会员价', en: 'Member price' },
  promotion: { zh: '促销', en: 'Promotion' },
  upc: { zh: '条码', en: 'Barcode' },
  text: FIXED_TEXT_LABEL,
}
