/**
 * A condition on a row as data, evaluated alike by browser (a grey button, a star) and server (a refusal). All parts
 * must hold; `""` is what is empty.
 */
export type RowCondition<K extends string = string> = {
  [key in K]?: FieldValueTest
}
export type FieldValueTest = { in?: readonly unknown[]; eq?: unknown; ne?: unknown }

/** Whether a row meets a condition; its values are compared as text. */
export function meetsCondition(row: Record<string, unknown>, condition: RowCondition | undefined): boolean {
  return Object.entries(condition ?? {}).every(([key, test]) => {
    const value = String(row[key] ?? '')
    if (!test) return true
    if (test.in && !test.in.some((item) => String(item) === value)) return false
    if (test.eq !== undefined && String(test.eq) !== value) return false
    return test.ne === undefined || String(test.ne) !== value
  })
}
