/**
 * Goods are low when no more are left than their warning line says; those without one (on the wire: -1) never are.
 */
export const isLowStock = (stock: number, line: number | null | undefined): boolean =>
  line !== null && line !== undefined && line >= 0 && stock <= line

/** The same in SQL, of the goods with this alias. */
export const lowStockSql = (alias: string): string => `${alias}.stock <= ${alias}.low_stock`
