import { webSettings } from '#kit/web/settings.ts'
import type { Lang } from '#kit/web/language.tsx'

/** The window's title: the page's name, then the product's. */
export function windowTitleOf(label: string, language: Lang) {
  const product = webSettings.product[language]
  return label ? `${label} - ${product}` : product
}
