import { settings } from '#kit/web/settings.ts'
import type { Lang } from '#kit/web/language.tsx'

/** The window's title: the page's name, then the product's. */
export function titleOf(label: string, language: Lang) {
  const product = settings.product[language]
  return label ? `${label} - ${product}` : product
}
