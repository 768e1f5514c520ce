import { DayChart } from '#web/ui/chart/day-chart.tsx'
import { Specimen } from './specimen.tsx'

/** Thirty days with quiet weekends, the same each time. */
const points = (most: number, series: number) =>
  Array.from({ length: 30 }, (_, day) => ({
    key: String(day),
    label: `${day + 1} Nov`,
    values: Array.from({ length: series }, (_, at) =>
      Math.round((most * (3 + ((day * 7 + at * 5) % 6)) * (day % 7 > 4 ? 0.2 : 1)) / (8 + at * 4)),
    ),
  }))
const words = { pick: 'Day', span: '1 – 30 Nov', format: String }

export function Charts() {
  return (
    <>
      <Specimen name="Stacked days" note="Point at a day, or walk with the arrow keys. Four parts at most.">
        {(theme) => (
          <DayChart
            {...words}
            kind="bars"
            summary={`Sign-ins per day, ${theme}`}
            points={points(100, 4)}
            series={['BankID', 'Organisation sign-in', 'Password and code', 'Password']}
            totals={[1104, 740, 551, 438]}
          />
        )}
      </Specimen>
      <Specimen name="A line, and nothing yet">
        {(theme) => (
          <>
            <DayChart
              {...words}
              kind="line"
              summary={`People per day, ${theme}`}
              points={points(800, 1)}
              series={['People']}
              totals={[9000]}
            />
            <DayChart
              {...words}
              kind="bars"
              summary={`No sign-ins yet, ${theme}`}
              points={points(0, 1)}
              series={['Sign-ins']}
              totals={[0]}
            />
          </>
        )}
      </Specimen>
    </>
  )
}
