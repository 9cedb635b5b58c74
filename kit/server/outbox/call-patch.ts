import { parseShanghaiTime } from '../base/time.ts'
import type { CallFields } from './call-definition.ts'
import type { StateCode } from './call-rows.ts'

/** Values of the machinery's own fields; those the row does not have are left out. */
type KeptValues = { [K in keyof CallFields<any>]?: string | number | null | undefined }

/** Returns the patch of a row that gives the machinery's fields these values. */
export function patchOfFields<Row>(fields: CallFields<Row>, values: KeptValues): Partial<Row> {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const key = fields[name as keyof KeptValues]
    return key && value !== undefined ? [[key, value]] : []
  })
  return Object.fromEntries(entries) as Partial<Row>
}

/** Returns the text of a field, null when it is empty or the row has no such field. */
export const textOfField = <Row>(row: Row, key: (keyof Row & string) | undefined): string | null =>
  key === undefined ? null : ((row[key] as string | null | undefined) ?? null)

export const stateOfRow = <Row>(row: Row, { state }: CallFields<Row>): StateCode => row[state] as StateCode

export const countOfField = <Row>(row: Row, key: (keyof Row & string) | undefined): number =>
  Number(textOfField(row, key) ?? 0)

export const isPast = (time: string | null, now: Date): boolean => time !== null && parseShanghaiTime(time) <= now
