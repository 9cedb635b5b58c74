import { webSettings } from '#kit/web/base/settings.ts'
import type { Lang } from '#kit/web/base/language.tsx'

/** Returns the window title: the page's name and the product's. */
export function windowTitleOf(label: string, language: Lang) {
  const product = webSettings.product[language]
  return label ? `${label} - ${product}` : product
}
