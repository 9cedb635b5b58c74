import i18next from 'i18next'
import { useCallback } from 'react'
import { lang, onLang, useLang } from './language.tsx'

type Catalogue = Record<string, string>

const i18n = i18next.createInstance()
void i18n.init({
  lng: lang(),
  fallbackLng: 'zh',
  resources: {},
  initAsync: false,
  keySeparator: false,
  interpolation: { escapeValue: false },
})
const translate = i18n.t as (key: string, options: Record<string, unknown>) => string
onLang(() => void i18n.changeLanguage(lang()))

/** Adds a room's own words. A catalogue has the same keys in both languages; the type sees to it. */
export function addWords<C extends Catalogue>(namespace: string, words: { zh: C; en: { [K in keyof C]: string } }) {
  i18n.addResourceBundle('zh', namespace, words.zh)
  i18n.addResourceBundle('en', namespace, words.en)
  return {
    /** The sentence under a key, holes like {{name}} filled. */
    t: (key: keyof C & string, values?: Record<string, unknown>) => translate(key, { ns: namespace, ...values }),
    useT: () => {
      const language = useLang()
      return useCallback(
        (key: keyof C & string, values?: Record<string, unknown>) =>
          translate(key, { ns: namespace, lng: language, ...values }),
        [language],
      )
    },
  }
}
