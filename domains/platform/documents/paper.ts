import type { PrintFormat, LocalizedText } from '#kit/resource/index.ts'
import type { PaperSize, DocumentLanguage } from './dictionaries.ts'

/** A field on paper: a fact, a column or a total, and what it is called there. */
export type DocumentField = {
  key: string
  label: LocalizedText
  look: PrintFormat
  width?: number
  /** A template asks for it: it may be there to be written in by hand. */
  isAsked?: true
}

export type DocumentLayout = {
  paper: PaperSize
  language: DocumentLanguage
  title: LocalizedText
  /** What its number is called. */
  number: LocalizedText
  logo: string
  head: LocalizedText
  footer: LocalizedText
  facts: DocumentField[]
  columns: DocumentField[]
  totals: DocumentField[]
  signs: LocalizedText[]
}

/** One row as a document: its values in the order of the layout's fields. */
export type DocumentValues = {
  id: string
  number: string
  facts: string[]
  lines: string[][]
  /** Below each column: what it comes to, where it is added up. */
  sums: string[]
  totals: string[]
  /** Some lines are not its reader's to see. */
  isPartial: boolean
}

export type LaidOutDocuments = { kind: string; layout: DocumentLayout; sheets: DocumentValues[]; time: string }

type Choice = { id: string; name: string }
export type PrintPageData = LaidOutDocuments & {
  family: string
  /** The template it is printed by; "" for the one of the product. */
  templateId: string
  templates: Choice[]
  /** Other documents of the same rows. */
  kinds: { kind: string; label: LocalizedText }[]
}

/** What a document may show, for who makes a template of it. */
export type DocumentKind = {
  kind: string
  label: LocalizedText
  family: LocalizedText
  offers: { facts: DocumentField[]; columns: DocumentField[]; totals: DocumentField[] }
  /** What stands on it without a template. */
  usual: { facts: string[]; columns: string[]; totals: string[]; signs: LocalizedText[] }
}

/** A part of a template: a field by its key, under another label where that is said. */
export type TemplateField = { key: string; zh?: string; en?: string }
export type TemplateSignature = { zh: string; en?: string }
/** How a template keeps a list: an empty one, which travels as nothing, is an answer too. */
export type TemplateList<T> = { parts: T[] }
