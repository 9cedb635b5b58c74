/**
 * A condition on a row as data, evaluated alike by the browser (which greys a button or requires a field) and the
 * server (which refuses). All parts must hold. `""` stands for an empty value.
 */
export type RowCondition<K extends string = string> = {
  [key in K]?: FieldValueTest
}
export type FieldValueTest = { in?: readonly unknown[]; eq?: unknown; ne?: unknown }

/** Returns whether a row meets a condition; true without one. Values are compared as text. */
export function meetsCondition(row: Record<string, unknown>, condition: RowCondition | undefined): boolean {
  return Object.entries(condition ?? {}).every(([key, test]) => {
    const value = String(row[key] ?? '')
    if (!test) return true
    if (test.in && !test.in.some((item) => String(item) === value)) return false
    if (test.eq !== undefined && String(test.eq) !== value) return false
    return test.ne === undefined || String(test.ne) !== value
  })
}
