/**
 * Goods are low when no more are left than their warning line says; those without one (on the wire: -1) never are.
 */
export const isLow = (stock: number, line: number | null | undefined): boolean =>
  line !== null && line !== undefined && line >= 0 && stock <= line

/** The same in SQL, of the goods with this alias. */
export const lowSql = (alias: string): string => `${alias}.stock <= ${alias}.low_stock`
