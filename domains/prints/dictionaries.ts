import { defineDict } from '#kit/resource/index.ts'

/** Their sizes are in prints.css, where screen and printer read them. */
export const papers = ['a4', 'a4Across', 'a5Across', 'form'] as const
export type PaperSize = (typeof papers)[number]

/** In whose language a document is: its reader's, one of the two, or with every label in both. */
export const tongues = ['reader', 'zh', 'en', 'both'] as const
export type Tongue = (typeof tongues)[number]

export const printDictionaries = [
  defineDict({
    code: 'print_paper',
    label: { zh: '单据纸张', en: 'Paper of a document' },
    entries: [
      { key: 'a4', zh: 'A4 纵向', en: 'A4 upright' },
      { key: 'a4Across', zh: 'A4 横向', en: 'A4 across' },
      { key: 'a5Across', zh: 'A5 横向', en: 'A5 across' },
      { key: 'form', zh: '三联纸 241×140', en: 'Form 241 × 140 mm' },
    ] satisfies { key: PaperSize; zh: string; en: string }[],
  }),
  defineDict({
    code: 'print_language',
    label: { zh: '单据语言', en: 'Language of a document' },
    entries: [
      { key: 'reader', zh: '随打印人', en: "The reader's" },
      { key: 'zh', zh: '中文', en: 'Chinese' },
      { key: 'en', zh: '英文', en: 'English' },
      { key: 'both', zh: '中英对照', en: 'Both' },
    ] satisfies { key: Tongue; zh: string; en: string }[],
  }),
]
