/**
 * Returns whether a field's name says that it holds the parent of its row. Then an empty value means the top level; in
 * other fields it means that nothing was chosen.
 */
export const isParentFieldName = (name: string): boolean => /parentId$/i.test(name)
