-- patients.csv: one row per person of the RAND Health Insurance Experiment, first year.
--
-- Input   the variable `source`: path of randhie.csv as statsmodels ships it (datasets/randhie/src/).
-- Output  patients.csv in the current folder; the same bytes on every run.
-- Grain   one person; the source has one row per person and year.
--
-- Run it in this folder, with the DuckDB shell
--     duckdb -cmd "SET VARIABLE source = 'randhie.csv'" -f make_patients.sql
-- or from Python
--     import duckdb
--     connection = duckdb.connect()
--     connection.execute("SET VARIABLE source = 'randhie.csv'")
--     connection.execute(open("make_patients.sql").read())
--
-- What each column means, and why some values become NULL: PROVENANCE.md.

COPY (
    WITH first_year AS (
        SELECT *
        FROM read_csv(getvariable('source'), header = true)
        WHERE year = 1
    ),

    site_names (site, site_name, mean_income, listed_conditions) AS (
        VALUES
            -- mean_income is what the source wrote where a family's income was not known;
            -- listed_conditions is how many chronic conditions the site's questionnaire asked for.
            (1, 'Dayton',           9542.002, 23),
            (2, 'Seattle',          8665.641, 29),
            (3, 'Fitchburg',        7196.79,  29),
            (4, 'Franklin County',  7910.823, 29),
            (5, 'Charleston',       6674.895, 29),
            (6, 'Georgetown County', 6735.316, 29)
    ),

    persons AS (
        SELECT
            row_number() OVER (ORDER BY md5('sqlanon:' || zper::VARCHAR), zper) AS patient_id,
            floor(xage)::INTEGER AS age,
            CASE female WHEN 1 THEN 'Female' ELSE 'Male' END AS sex,
            -- a fraction is a site's mean, put where the answer was missing
            CASE black WHEN 1 THEN 'Black' WHEN 0 THEN 'Not black' END AS race,
            CASE WHEN educdec * 2 = floor(educdec * 2) THEN floor(educdec)::INTEGER END AS education_years,
            site_name AS site,
            num AS family_size,
            CASE
                WHEN abs(income - mean_income) >= 0.001 THEN (floor(income / 100 + 0.5) * 100)::INTEGER
            END AS family_income,
            CASE
                WHEN plan IN (1, 13) THEN 'deductible'
                WHEN coins = 0 THEN 'free care'
                WHEN coins = 25 THEN '25 percent'
                WHEN coins = 50 THEN '50 percent'
                WHEN coins >= 95 THEN '95 percent'
            END AS plan,
            CASE
                WHEN hlthp = 1 THEN 'poor'
                WHEN hlthf = 1 THEN 'fair'
                WHEN hlthg = 1 THEN 'good'
                ELSE 'excellent'
            END AS health,
            -- the source gives a percentage of the listed conditions, to one decimal; a site's mean has more
            CASE
                WHEN round(disea, 1) = disea THEN floor(disea * listed_conditions / 100 + 0.5)::INTEGER
            END AS chronic_conditions,
            mdvis AS doctor_visits,
            floor(meddol + 0.5)::INTEGER AS medical_spending
        FROM first_year
        JOIN site_names USING (site)
    )

    SELECT * FROM persons ORDER BY patient_id
) TO 'patients.csv' (FORMAT csv, HEADER true);
