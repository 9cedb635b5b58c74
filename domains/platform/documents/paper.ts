import type { PaperLook, LocalizedText } from '#kit/resource/index.ts'
import type { PaperSize, Tongue } from './dictionaries.ts'

/** A field on paper: a fact, a column or a total, and what it is called there. */
export type PaperField = {
  key: string
  label: LocalizedText
  look: PaperLook
  width?: number
  /** A template asks for it: it may be there to be written in by hand. */
  isAsked?: true
}

export type Layout = {
  paper: PaperSize
  language: Tongue
  title: LocalizedText
  /** What its number is called. */
  number: LocalizedText
  logo: string
  head: LocalizedText
  footer: LocalizedText
  facts: PaperField[]
  columns: PaperField[]
  totals: PaperField[]
  signs: LocalizedText[]
}

/** One row as a document: its values in the order of the layout's fields. */
export type Sheet = {
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

export type Paper = { kind: string; layout: Layout; sheets: Sheet[]; time: string }

type Choice = { id: string; name: string }
export type Printed = Paper & {
  family: string
  /** The template it is printed by; "" for the one of the product. */
  templateId: string
  templates: Choice[]
  /** Other documents of the same rows. */
  kinds: { kind: string; label: LocalizedText }[]
}

/** What a document may show, for who makes a template of it. */
export type Kind = {
  kind: string
  label: LocalizedText
  family: LocalizedText
  offers: { facts: PaperField[]; columns: PaperField[]; totals: PaperField[] }
  /** What stands on it without a template. */
  usual: { facts: string[]; columns: string[]; totals: string[]; signs: LocalizedText[] }
}

/** A part of a template: a field by its key, under another label where that is said. */
export type PartOfTemplate = { key: string; zh?: string; en?: string }
export type Sign = { zh: string; en?: string }
/** How a template keeps a list: an empty one, which travels as nothing, is an answer too. */
export type Listed<T> = { parts: T[] }
