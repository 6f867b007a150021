/** Statistics of samples, and means of ratios. */

/** Returns the quantile at `fraction`, interpolated between the two nearest samples. */
export function quantile(samples: readonly number[], fraction: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/**
 * Returns the smallest sample that at least `fraction` of the samples do not exceed (nearest rank).
 * Unlike {@linkcode quantile} it returns a measured value, which suits the tail of few runs.
 */
export function percentile(samples: readonly number[], fraction: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)];
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** Returns half the interquartile range as a share of the median: its uncertainty. */
export function spread(samples: readonly number[]): number {
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / median(samples);
}

/** Returns the geometric mean: the mean of ratios that stays true when each ratio is inverted. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
