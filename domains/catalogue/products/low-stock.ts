/** Whether a product is low: stock at or below its warning line. Products without a line (-1 on the wire) never are. */
export const isLowStock = (stock: number, line: number | null | undefined): boolean =>
  line !== null && line !== undefined && line >= 0 && stock <= line

/** The condition of `isLowStock` in SQL, for products with this alias. */
export const lowStockSql = (alias: string): string => `${alias}.stock <= ${alias}.low_stock`
