/**
 * One series of a chart, with a value for each label: yuan, whole pieces or a measured value; `null` where there is
 * none yet. `isRight` gives it a scale of its own on the right.
 */
export type ChartSeries = {
  name: string
  values: (number | null)[]
  as: 'bar' | 'line' | 'steps'
  tone: 'main' | 'quiet' | 'bad'
  unit: 'yuan' | 'pieces' | 'measure'
  isRight?: boolean
}
